package pipetest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// sources are the files from which the program is built, and their folders: a folder's
// time shows that files came or went.
func sources() ([]string, error) {
	const format = `{{with .Module}}{{if .Main}}{{.GoMod}}{{"\n"}}` +
		`{{$.Dir}}{{"\n"}}{{range $.GoFiles}}{{$.Dir}}/{{.}}{{"\n"}}{{end}}{{range $.EmbedFiles}}{{$.Dir}}/{{.}}{{"\n"}}{{end}}{{end}}{{end}}`
	list := exec.Command("go", "list", "-deps", "-f", format, command)
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("listing the sources of pwpipe: %w", err)
	}
	files := strings.Split(strings.TrimSpace(string(out)), "\n")
	slices.Sort(files)
	return slices.Compact(files), nil
}

// stateOf is the state of the sources and the build tools. With the same state, go
// build has the same result. go test caches results while the files that a test read
// are unchanged. So each source is read, even if nothing has to be built.
func stateOf(files []string) string {
	var b strings.Builder
	b.WriteString(runtime.Version() + " " + runtime.GOOS + " " + runtime.GOARCH)
	for _, name := range []string{"GOFLAGS", "GOEXPERIMENT", "CGO_ENABLED", "GOAMD64", "GOARM64"} {
		b.WriteString(" " + os.Getenv(name))
	}
	for _, name := range files {
		info, err := os.Stat(name)
		if err != nil {
			continue // counts as another state
		}
		// If it were opened, a file younger than two seconds would keep the result out
		// of the cache: its time might not show the next change.
		if info.Mode().IsRegular() {
			if f, err := os.Open(name); err == nil {
				_ = f.Close()
			}
			fmt.Fprintf(&b, "\n%d", info.Size())
			fmt.Fprintf(&b, " %d %s", info.ModTime().UnixNano(), name)
		} else {
			fmt.Fprintf(&b, "\n- %s %s", digest(strings.Join(named(name), "\n")), name)
		}
	}
	return b.String()
}

// named are the files of a folder that may become a part of the program. Not its time: a test
// that leaves a picture there would have the program built anew while another test runs it.
func named(dir string) (names []string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		switch filepath.Ext(e.Name()) {
		case ".go", ".js", ".cjs", ".mjs", ".css", ".html", ".json", ".md", ".svg", ".txt":
			names = append(names, e.Name())
		}
	}
	return names
}

// unchanged reports whether the sources have the state that a file records.
func unchanged(file string) bool {
	text, err := os.ReadFile(file)
	if err != nil {
		return false
	}
	lines := strings.Split(string(text), "\n")
	var files []string
	for _, line := range lines[1:] {
		if parts := strings.SplitN(line, " ", 3); len(parts) == 3 {
			files = append(files, parts[2])
		}
	}
	return len(files) > 0 && stateOf(files) == string(text)
}
