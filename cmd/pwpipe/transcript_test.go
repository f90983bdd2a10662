package main

import (
	"testing"

	"pwpipe/internal/pipetest/transcript"
)

func TestTranscripts(t *testing.T) { transcript.RunAll(t) }
