package main

import (
	"testing"

	"pwpipe/internal/pipetest"
)

func TestMain(m *testing.M) { pipetest.Main(m) }

// TestTranscripts runs testdata/*.txtar with the real binary and a real
// browser.
func TestTranscripts(t *testing.T) { pipetest.Transcripts(t, "testdata/*.txtar") }
