package scripts_test

import (
	"os/exec"
	"testing"

	"pwpipe/internal/pipetest"
)

// Under systemd's Nice= and on many CI runners pwpipe has little right to a processor,
// and its scripts none to more.
func TestScriptsOfANiceProgram(t *testing.T) {
	t.Parallel()
	user := pipetest.NormalUser(t)
	command := user.Command("--site")
	command.Args = append([]string{"nice", "-n", "12"}, command.Args...)
	command.Path, _ = exec.LookPath("nice")
	p := pipetest.StartCmd(t, command)
	p.Call("nav", []any{"/form"})
	if got := pipetest.Execute(p, "6 * 7"); got != "42" {
		t.Error(got)
	}
}
