// Package service_test tests `pwpipe serve` over real HTTP, with a real browser
// and the sample site.
package service_test

import (
	"testing"

	"pwpipe/internal/pipetest"
	"pwpipe/internal/pipetest/transcript"
)

func TestMain(m *testing.M) { pipetest.Main(m) }

type m = pipetest.Object

// outside is a shared service as others see it from outside: with a name, limits and keys.
func outside(t *testing.T) *pipetest.Service {
	t.Helper()
	return pipetest.SharedService(t, "--name=pw-0", "--trusted-proxies=127.0.0.1", "--public-url=https://browsers.example.com/",
		"--max-body=1000", "--profile=agent")
}

func TestTranscripts(t *testing.T) { transcript.RunAll(t) }
