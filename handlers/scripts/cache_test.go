package scripts_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
	"pwpipe/internal/setup"
)

// checker says of the code in a file of compiled packages how much V8 takes.
const checker = `const fs = require('fs'), vm = require('vm'), Module = require('module'), b = fs.readFileSync(process.argv[2]);
const at = b.indexOf(10) + 1, length = parseInt(b.toString('latin1', at, at + 8), 16), start = at + 8 + length;
const taken = { true: 0, false: 0 };
for (const [filename, from, source, code] of JSON.parse(b.toString('utf8', at + 8, start)).modules) {
  const text = b.subarray(start + from, start + from + source).toString(), cachedData = b.subarray(start + from + source, start + from + source + code);
  taken[!new vm.Script(Module.wrap(text), { filename, cachedData }).cachedDataRejected]++;
}
console.log(taken.true > 100, taken.false);`

// TestCompiledPackagesAreTaken: the process of scripts has the flags with which
// the packages were compiled. With others V8 compiles them anew, and says nothing.
func TestCompiledPackagesAreTaken(t *testing.T) {
	t.Parallel()
	in, err := setup.Ensure(t.Context(), setup.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := startOwn(t, "/form")
	p.Call("execute", obj{"code": "1"})
	pid := pipetest.Processes(t, p.Cmd.Process.Pid, "scripts.cjs", "")[0]
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		t.Fatal(err)
	}
	var flags []string
	held := ""
	for _, arg := range strings.Split(string(raw), "\x00") {
		if strings.HasPrefix(arg, "--") && !strings.Contains(arg, "permission") && !strings.Contains(arg, "--allow-") {
			flags = append(flags, arg)
		}
		if v, ok := strings.CutPrefix(arg, "--max-old-space-size="); ok {
			held = v
		}
	}
	file := filepath.Join(in.DriverDir, "scripts-"+held+".cache")
	pipetest.Eventually(t, "the packages are compiled", func() bool { _, err := os.Stat(file); return err == nil })
	program := filepath.Join(t.TempDir(), "checker.cjs")
	if err := os.WriteFile(program, []byte(checker), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(in.Node, append(flags, program, file)...).CombinedOutput()
	if err != nil || string(out) != "true 0\n" {
		t.Errorf("%v: %s", err, out)
	}
}
