package memory

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestTotal(t *testing.T) {
	const machine = "MemTotal:       8388608 kB\nMemFree: 1 kB\n"
	for name, c := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"nothing":     {nil, 0},
		"machine":     {map[string]string{"proc/meminfo": machine}, 8 << 30},
		"no limit":    {map[string]string{"proc/meminfo": machine, "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "max\n"}, 8 << 30},
		"container":   {map[string]string{"proc/meminfo": machine, "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "1073741824\n"}, 1 << 30},
		"group above": {map[string]string{"proc/meminfo": machine, "proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "max\n", "sys/fs/cgroup/a/memory.max": "536870912\n"}, 512 << 20},
		"version 1":   {map[string]string{"proc/meminfo": machine, "proc/self/cgroup": "5:cpu:/x\n4:memory:/docker/x\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "268435456\n"}, 256 << 20},
		"larger":      {map[string]string{"proc/meminfo": machine, "proc/self/cgroup": "4:memory:/\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"}, 8 << 30},
		"climbs":      {map[string]string{"proc/meminfo": machine, "proc/self/cgroup": "0::/../../x\nbroken\n"}, 8 << 30},
	} {
		root := t.TempDir()
		for file, text := range c.files {
			file = filepath.Join(root, file)
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got := totalOf(root); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
	if Total() <= 0 && runtime.GOOS == "linux" {
		t.Error("this machine's memory is not known")
	}
}

func TestLimit(t *testing.T) {
	for total, want := range map[int64]int64{0: 0, 8 << 30: 2 << 30, 256 << 20: least} {
		if got := limitOf(total); got != want {
			t.Errorf("of %d: %d, want %d", total, got, want)
		}
	}
}
