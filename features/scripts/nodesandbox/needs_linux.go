package nodesandbox

import (
	"bytes"
	"context"
	"debug/elf"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

type needs struct {
	program   string   // the program itself
	loader    string   // the loader that the kernel starts, "" for a static program
	libraries []string // the loader's libraries
}

// known caches the needs, by the path of a Node.
var known sync.Map

func needsOf(node string) (needs, error) {
	if n, ok := known.Load(node); ok {
		return n.(needs), nil
	}
	n, err := findNeeds(node)
	if err == nil {
		known.Store(node, n)
	}
	return n, err
}

func findNeeds(node string) (n needs, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), askTime)
	defer cancel()
	if n.program, err = filepath.EvalSymlinks(node); err != nil {
		return n, fmt.Errorf("cell: %w", err)
	}
	n.loader, err = loaderOf(n.program)
	if err != nil || !strings.HasPrefix(filepath.Base(n.program), "node") {
		// A script, or a shim that chooses among versions: Node itself knows its
		// program.
		out, err := exec.CommandContext(ctx, node, "-p", "process.execPath").Output()
		if err != nil {
			return n, fmt.Errorf("cell: %s does not say where it is: %w", node, err)
		}
		n.program = string(bytes.TrimSpace(out))
		if n.loader, err = loaderOf(n.program); err != nil {
			return n, fmt.Errorf("cell: %s: %w", n.program, err)
		}
	}
	if n.loader == "" {
		return n, nil
	}
	// The loaders of glibc and of musl both list what they would load.
	cmd := exec.CommandContext(ctx, n.loader, "--list", n.program)
	cmd.Env = inherited()
	out, err := cmd.Output()
	if err != nil {
		return n, fmt.Errorf("cell: asking %s what %s needs: %w", n.loader, n.program, err)
	}
	n.libraries = libraries(string(out))
	return n, nil
}

// loaderOf is the interpreter that an ELF program names.
func loaderOf(program string) (string, error) {
	f, err := elf.Open(program)
	if err != nil {
		return "", err
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP && p.Filesz < 4<<10 {
			text := make([]byte, p.Filesz)
			if _, err := p.ReadAt(text, 0); err != nil {
				return "", err
			}
			return string(bytes.TrimRight(text, "\x00")), nil
		}
	}
	return "", nil
}

// libraries are the paths in a loader's list: "name => path (address)", or "path
// (address)".
func libraries(list string) (paths []string) {
	for line := range strings.Lines(list) {
		path := strings.TrimSpace(line)
		if _, after, ok := strings.Cut(path, "=> "); ok {
			path = after
		}
		if at := strings.LastIndex(path, " (0x"); at > 0 && filepath.IsAbs(path) {
			paths = append(paths, path[:at])
		}
	}
	return paths
}
