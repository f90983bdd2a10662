//go:build !race

package pipetest

// Race says whether tests run under the race detector.
const Race = false
