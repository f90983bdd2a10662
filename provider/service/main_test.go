// Package service_test tests `pwpipe serve` over real HTTP, with a real browser
// and the sample site.
package service_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

func TestMain(m *testing.M) { pipetest.Main(m) }

type m = pipetest.Object

// outside is a shared service as others see it from outside: with a name, limits and keys.
func outside(t *testing.T) *pipetest.Service {
	t.Helper()
	return pipetest.SharedService(t, "--name=pw-0", "--trusted-proxies=127.0.0.1", "--public-url=https://browsers.example.com/",
		"--max-body=1000", "ALLOWED_HOSTS=pwpipe.internal", "OPERATOR_KEY=the operator's", "--profile=agent")
}

// small is a shared service without a key, for two sessions with few tools.
func small(t *testing.T) *pipetest.Service {
	t.Helper()
	return pipetest.SharedService(t, "API_KEY=", "--addr=:0", "MAX_CONTEXTS=2", "--queue-timeout=0",
		"SESSION_TTL_MS=10000", // no pause of a busy machine is so long
		"--tools=session.create, session.close,title,batch,playwright_browser,new-ctx")
}

func TestTranscripts(t *testing.T) { pipetest.Transcripts(t) }
