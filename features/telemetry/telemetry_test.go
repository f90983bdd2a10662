package telemetry

import (
	"fmt"
	"strings"
	"testing"
)

// TestTracing: variables ask for traces, and refuse what there is not. The one for traces wins.
func TestTracing(t *testing.T) {
	for set, want := range map[string]string{"": "false <nil>", "ENDPOINT=x": "true <nil>",
		"TRACES_ENDPOINT=x": "true <nil>", "ENDPOINT=x SDK_DISABLED=TRUE": "false <nil>",
		"TRACES_EXPORTER=otlp": "true <nil>", "ENDPOINT=x TRACES_EXPORTER=none": "false <nil>",
		"TRACES_EXPORTER= PROTOCOL=grpc": "false <nil>", "TRACES_EXPORTER=zipkin": "expected otlp or none, got",
		"ENDPOINT=x PROTOCOL=grpc":                               "expected http/protobuf, got",
		"ENDPOINT=x PROTOCOL=grpc TRACES_PROTOCOL=http/protobuf": "true <nil>"} {
		t.Run(set, func(t *testing.T) {
			for _, v := range strings.Fields(set) {
				name, value, _ := strings.Cut(v, "=")
				if strings.HasSuffix(name, "ENDPOINT") || strings.HasSuffix(name, "PROTOCOL") {
					name = "EXPORTER_OTLP_" + name
				}
				t.Setenv("OTEL_"+name, value)
			}
			if on, err := tracing(); !strings.Contains(fmt.Sprint(on, " ", err), want) {
				t.Errorf("%v %v, want %s", on, err, want)
			}
		})
	}
}
