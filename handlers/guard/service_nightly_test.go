//go:build evidence

package guard_test

import (
	"os/exec"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// The health check of the deployed image, as compose runs it.
func TestDeployedHealthCheck(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestServiceIsGuarded is quick")
	t.Parallel()
	s := pipetest.StartService(t, "ALLOWED_DOMAINS=", "ALLOW_HOST_REGEX=^https?://", "ALLOWED_HOSTS=pwpipe,", "PWPIPE_PROFILE=mcp", "PWPIPE_CDP=http://127.0.0.1:1")
	addr := strings.TrimPrefix(s.URL, "http://")
	if out, err := exec.Command(pipetest.Binary(t), "serve", "--check", "healthz", "--addr", addr).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	_, body := post(t, s, "/tools/nav", `{"args":["https://example.com/"]}`)
	pipetest.Has(t, body, "can't attach to the browser at http://127.0.0.1:1")
	s.Stop()
	if err := exec.Command(pipetest.Binary(t), "serve", "--check", "healthz", "--addr", addr).Run(); err == nil {
		t.Error("a service that is gone is healthy")
	}
}
