package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/internal/pipetest"
)

// TestPeerRoots: a client's roots narrow what its calls may touch and are where relative paths begin. They open no
// other folder, and a client that has none, or says nothing of use, is served as one without.
func TestPeerRoots(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestPeerWalls is quick")
	t.Parallel()
	dir, elsewhere := t.TempDir(), "/usr/share"
	work, other := filepath.Join(dir, "work"), filepath.Join(dir, "other")
	for _, file := range []string{filepath.Join(work, "in.txt"), filepath.Join(other, "out.txt")} {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("Ahoy"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(other, filepath.Join(work, "link")); err != nil {
		t.Skip(err)
	}
	uri := func(path string) *mcp.Root { return &mcp.Root{URI: "file://" + filepath.ToSlash(path)} }
	var asked atomic.Int64
	client := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil)
	client.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method == "roots/list" {
				asked.Add(1)
			}
			return next(ctx, method, req)
		}
	})
	run := func(args ...string) *mcp.ClientSession {
		cmd := exec.Command(pipetest.Binary(t), append([]string{"mcp", "--headless", "--image-responses=omit"}, args...)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "PLAYWRIGHT_MCP_TIMEOUT_ACTION=60000")
		s, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		callTool(t, s, "browser_navigate", map[string]any{"url": "data:text/html,<input type=file aria-label=Chart>"})
		return s
	}
	shoot := func(s *mcp.ClientSession, name, folder string) {
		t.Helper()
		got, failed := callTool(t, s, "browser_take_screenshot", map[string]any{"filename": name})
		if _, err := os.Stat(filepath.Join(folder, name)); failed || err != nil || !strings.Contains(got, "(./"+name+")") {
			t.Errorf("%s: %v: %s", name, err, got)
		}
	}
	s := run()
	if asked.Load() != 1 {
		t.Errorf("the first call asked %d times", asked.Load())
	}
	for i, c := range []struct {
		roots   []*mcp.Root
		in, out bool   // whether work/in.txt and other/out.txt, by a link in work, may be uploaded
		folder  string // of files with a relative name, "" for either
	}{
		{nil, true, true, dir},
		{[]*mcp.Root{{URI: "file://LOCALHOST" + filepath.ToSlash(work)}}, true, false, work},
		{[]*mcp.Root{uri(filepath.Join(work, "link"))}, false, true, other},
		{[]*mcp.Root{uri(work), uri(other)}, true, true, ""},
		{[]*mcp.Root{uri(elsewhere), {URI: "bogus://x"}, uri(filepath.Join(dir, "none"))}, true, true, dir},
	} {
		client.AddRoots(c.roots...)
		upload := func(file string, allowed bool) {
			t.Helper()
			callTool(t, s, "browser_click", map[string]any{"target": "input"})
			got, failed := callTool(t, s, "browser_file_upload", map[string]any{"paths": []string{file}})
			if failed == allowed || failed && !strings.Contains(got, "File access denied: "+file+" is outside allowed roots. Allowed roots: ") {
				t.Errorf("roots %d: upload of %s: %s", i, file, got)
			}
			if failed {
				callTool(t, s, "browser_file_upload", map[string]any{})
			}
		}
		upload(filepath.Join(work, "in.txt"), c.in)
		upload(filepath.Join(work, "link", "out.txt"), c.out)
		if c.folder != "" {
			shoot(s, fmt.Sprintf("of%d.png", i), c.folder)
		}
		for _, root := range c.roots {
			client.RemoveRoots(root.URI)
		}
	}
	client.AddRoots(uri(work))
	asked.Store(0)
	shoot(run("--ignore-roots"), "ignored.png", dir)
	if asked.Load() != 0 {
		t.Error("--ignore-roots asks")
	}
}
