// Package telemetry lets pwpipe send a trace of each call to an OpenTelemetry collector.
package telemetry

import (
	"pwpipe/cmd/program"
)

// Feature is what the list of features has a line for.
var Feature = program.Feature{
	Name:   "telemetry",
	Doc:    "send a trace of each call to an OpenTelemetry collector",
	Follow: traceCalls,
}
