//go:build race

package pipetest

// Race reports whether tests run under the race detector.
const Race = true
