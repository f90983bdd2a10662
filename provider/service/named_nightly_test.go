//go:build evidence

package service_test

import (
	"os/exec"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestDrainByCommand: the command that a container runs before it stops waits until no
// session is left, and reports the remaining ones after its timeout.
func TestDrainByCommand(t *testing.T) {
	pipetest.UnderRace(t)
	pipetest.Nightly(t, "it is long, and TestGracefulStop is quick")
	t.Parallel()
	svc := pipetest.StartService(t, "OPERATOR_KEY=op")
	s := svc.Open(nil)
	drain := func(key, within string) (string, error) {
		cmd := exec.Command(pipetest.Binary(t), "serve", "--addr", strings.TrimPrefix(svc.URL, "http://"), "--drain", within)
		cmd.Env = append(cmd.Environ(), "OPERATOR_KEY="+key)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if said, err := drain("other", "1ms"); err == nil || !strings.Contains(said, "401") {
		t.Errorf("%v %s", err, said)
	}
	if said, err := drain("op", "1ms"); err == nil || !strings.Contains(said, "after 1ms there are 1 sessions") {
		t.Errorf("%v %s", err, said)
	}
	done := make(chan error, 1)
	go func() {
		_, err := drain("op", "60s")
		done <- err
	}()
	s.On("session.close", nil)
	if err := <-done; err != nil {
		t.Error(err)
	}
}
