package main

import (
	"testing"

	"pwpipe/internal/pipetest"
)

func TestTranscripts(t *testing.T) { pipetest.Transcripts(t) }
