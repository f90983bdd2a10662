package nodesandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestLibraries: output of the loaders of glibc and musl.
func TestLibraries(t *testing.T) {
	for list, want := range map[string][]string{
		"\tlinux-vdso.so.1 (0x00007f1)\n\tlibm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x00007f2)\n\t/lib64/ld-linux-x86-64.so.2 (0x00007f3)\n": {"/lib/x86_64-linux-gnu/libm.so.6", "/lib64/ld-linux-x86-64.so.2"},
		"\t/lib/ld-musl-x86_64.so.1 (0x7f1)\n\tlibstdc++.so.6 => /usr/lib/libstdc++.so.6 (0x7f2)\n":                                              {"/lib/ld-musl-x86_64.so.1", "/usr/lib/libstdc++.so.6"},
		"\tlibx.so => /opt/a folder (0x1)/libx.so (0x7f2)\n\tliby.so => not found\n":                                                             {"/opt/a folder (0x1)/libx.so"},
	} {
		if got := libraries(list); !slices.Equal(got, want) {
			t.Errorf("%q: %q", list, got)
		}
	}
}

// TestPermissionFlag: the flag's name in each version of Node.
func TestPermissionFlag(t *testing.T) {
	for version, want := range map[string]string{"v18.20.8": "", "v20.20.2": "--experimental-permission", "v22.12.0": "--experimental-permission",
		"v22.13.0": "--permission", "v23.4.0": "--experimental-permission", "v23.5.0": "--permission", "v24.0.0": "--permission", "nonsense": ""} {
		if got := permissionFlag(version); got != want {
			t.Errorf("%s: %q", version, got)
		}
	}
}

// TestPermissionModel: as the substitute for Landlock, Node accepts the flags,
// and restricts its own API.
func TestPermissionModel(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no Node here")
	}
	dir := t.TempDir()
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"secret", "read/script.cjs", "scratch/x"} {
		path := filepath.Join(dir, name)
		_ = os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, []byte(`const fs = require("fs"), t = (f) => { try { f(); return "done" } catch (e) { return e.code } };
			console.log(t(() => fs.writeFileSync("y", "")), t(() => fs.readFileSync("../secret")), t(() => fs.writeFileSync("../read/script.cjs", "")),
				t(() => require("child_process").execSync("true")))`), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	flags := permissionFlags(Options{Node: node, Scratch: filepath.Join(dir, "scratch"), Read: []string{filepath.Join(dir, "read")}})
	if flags == nil {
		t.Skip("this Node has none")
	}
	cmd := exec.Command(node, append(flags, filepath.Join(dir, "read/script.cjs"))...)
	cmd.Dir = filepath.Join(dir, "scratch")
	out, err := cmd.Output()
	const denied = " ERR_ACCESS_DENIED"
	if got := strings.TrimSpace(string(out)); err != nil || got != "done"+denied+denied+denied {
		t.Errorf("%v: %s", err, got)
	}
}
