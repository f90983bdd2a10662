package setup

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"pwpipe/internal/machine/writefile"
)

// nodeFix ends every error about Node.
const nodeFix = "install Node.js 18 or newer, set PWPIPE_NODE=/path/to/node, " +
	"or install pwpipe in a way that brings Node: `npx pwpipe`, `uvx pwpipe`, brew, the deb or rpm"

// findNode answers PWPIPE_NODE or the first node on PATH, and its version. The
// version is remembered by path, time and size of the program, so that a start
// runs no process to learn it.
func (s *setup) findNode(ctx context.Context) (path, version string, err error) {
	if path, err = lookNode(); err != nil {
		return "", "", err
	}
	st, err := os.Stat(path)
	if err != nil {
		return "", "", errorf("cannot read node at %s: %w; %s", path, rootCause(err), nodeFix)
	}
	seen := nodeSeen{MTime: st.ModTime().UnixNano(), Size: st.Size()}
	state := s.readState()
	if old, ok := state.Nodes[path]; ok && old.MTime == seen.MTime && old.Size == seen.Size {
		return path, old.Version, nil
	}
	if seen.Version, err = nodeVersion(ctx, path); err != nil {
		return "", "", err
	}
	state.Nodes[path] = seen
	s.writeState(state)
	return path, seen.Version, nil
}

func lookNode() (string, error) {
	asked := os.Getenv("PWPIPE_NODE")
	path, err := exec.LookPath(cmp.Or(asked, "node"))
	switch {
	case err == nil:
		return filepath.Abs(path)
	case asked != "":
		return "", errorf("PWPIPE_NODE=%s is not a program that can run; set it to the path of node 18 or newer, or unset it", asked)
	}
	return "", errorf("node not found on PATH; %s", nodeFix)
}

// nodeVersion runs node once and refuses one that is too old.
func nodeVersion(ctx context.Context, path string) (string, error) {
	out, err := runVersion(ctx, path, nil)
	if err != nil {
		return "", errorf("node at %s does not run: %w; %s", path, err, nodeFix)
	}
	major, _, _ := strings.Cut(strings.TrimPrefix(out, "v"), ".")
	n, err := strconv.Atoi(major)
	if err != nil || !strings.HasPrefix(out, "v") {
		return "", errorf("%s does not say a version of Node.js but %.40q; %s", path, out, nodeFix)
	}
	if n < minNode {
		return "", errorf("node at %s is %s, too old; %s", path, out, nodeFix)
	}
	return out, nil
}

// runVersion runs a program with --version and answers the first line it prints.
func runVersion(ctx context.Context, path string, env []string, script ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, append(script, "--version")...)
	cmd.Env = append(os.Environ(), env...)
	cmd.WaitDelay = time.Second
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if err != nil {
		if line := firstLine(stderr.String()); line != "" {
			return "", fmt.Errorf("%w: %s", err, line)
		}
		return "", err
	}
	return firstLine(string(out)), nil
}

// firstLine is the first line that is not blank, cut to a readable length.
func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	s = strings.TrimSpace(s)
	if len(s) > 300 {
		s = strings.ToValidUTF8(s[:300], "") + "..."
	}
	return s
}

// state is what is remembered between runs besides the installs. Losing it costs one
// `node --version`, one start of the browser, and one slower start.
type state struct {
	Nodes     map[string]nodeSeen    `json:"nodes"`
	Sandboxes map[string]sandboxSeen `json:"sandboxes,omitempty"` // by browser and conditions
	Launches  map[string]launchSeen  `json:"launches,omitempty"`  // by driver, browser and options
}

type nodeSeen struct {
	MTime   int64  `json:"mtime"` // nanoseconds
	Size    int64  `json:"size"`
	Version string `json:"version"`
}

func (c cache) statePath() string { return filepath.Join(c.root, "state.json") }

func (c cache) readState() state {
	var st state
	if data, err := os.ReadFile(c.statePath()); err == nil {
		_ = json.Unmarshal(data, &st) // a damaged state is an empty one
	}
	if st.Nodes == nil {
		st.Nodes = map[string]nodeSeen{}
	}
	if st.Sandboxes == nil {
		st.Sandboxes = map[string]sandboxSeen{}
	}
	if st.Launches == nil {
		st.Launches = map[string]launchSeen{}
	}
	return st
}

// writeState replaces the state in one step. It cannot fail the run: a cache
// folder that is shared and read-only works too.
func (c cache) writeState(st state) {
	data, err := json.Marshal(st)
	if err != nil || os.MkdirAll(c.root, 0o755) != nil {
		return
	}
	_ = writefile.Bytes(c.statePath(), data, writefile.Public)
}
