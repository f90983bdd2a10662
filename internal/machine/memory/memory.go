// Package memory finds the memory of the machine or container, and sets Go's
// memory limit to a part of it.
package memory

import (
	"cmp"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
)

// share is the fraction of the memory that Go may use: a browser, its renderers, the
// driver and script processes take the rest.
const share = 4

// least is a lower limit, below which the collector would only take time.
const least = 128 << 20

// Bound makes Go's collector work harder when the process nears its share of the
// memory. GOMEMLIMIT in the environment takes precedence.
func Bound() {
	if os.Getenv("GOMEMLIMIT") == "" {
		if limit := limitOf(Total()); limit > 0 {
			debug.SetMemoryLimit(limit)
		}
	}
}

// limitOf is Go's limit for a machine's memory, 0 for none.
func limitOf(total int64) int64 {
	if total <= 0 {
		return 0
	}
	return max(total/share, least)
}

// Total is the memory for this process in bytes: the machine's, or what its control
// groups allow, on Linux. 0 is unknown.
func Total() int64 { return totalOf("/") }

var reTotal = regexp.MustCompile(`(?m)^MemTotal:\s+(\d+) kB`)

// totalOf is Total on a machine whose files are below root.
func totalOf(root string) (bytes int64) {
	if text, err := os.ReadFile(filepath.Join(root, "proc/meminfo")); err == nil {
		if m := reTotal.FindSubmatch(text); m != nil {
			kib, _ := strconv.ParseInt(string(m[1]), 10, 64)
			bytes = kib << 10
		}
	}
	for _, file := range limits(root) {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // the root has none, and a container sees only its own
		}
		most, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
		if err == nil && most > 0 {
			bytes = min(most, cmp.Or(bytes, most))
		}
	}
	return bytes
}

// limits are the files that may have a limit: of each control group of the process, and
// of its parents, of both versions.
func limits(root string) (files []string) {
	text, err := os.ReadFile(filepath.Join(root, "proc/self/cgroup"))
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(text)) { // id:controllers:path
		f := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(f) < 3 {
			continue
		}
		dir, name := "sys/fs/cgroup", "memory.max"
		if f[1] != "" {
			if !strings.Contains(","+f[1]+",", ",memory,") {
				continue
			}
			dir, name = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
		}
		for at := path.Join("/", f[2]); ; at = path.Dir(at) {
			files = append(files, filepath.Join(root, dir, at, name))
			if at == "/" {
				break
			}
		}
	}
	return files
}
