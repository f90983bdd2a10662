package mcptools

import (
	"context"
	"net/url"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/handlers/files"
	"pwpipe/provider"
	"pwpipe/provider/wire"
)

// The roots of a client are the folders that it works in. They narrow what its calls may touch, and relative paths
// begin in the first. A client gets no folder by naming it: a root outside of the allowed folders counts for nothing.

// maxAsking limits the wait for a client's roots. One that does not answer is not asked again.
const maxAsking = 5 * time.Second

// roots are those of an MCP session.
type roots struct {
	mu    sync.Mutex
	asked bool
	mute  bool // the client did not answer
	dirs  []string
}

var rootsOf sync.Map // *mcp.ServerSession -> *roots

// base is where relative paths begin.
func (c *call) base(again bool) string {
	if list := c.roots(again); len(list) > 0 {
		return list[0]
	}
	return c.cwd
}

// roots are the client's roots that count, by their real paths. The first call of a session asks for them; with again,
// a client whose roots may change is asked anew, once a call.
func (c *call) roots(again bool) []string {
	ctx, ss := wire.MCPCall(c.ctx)
	if ss == nil || c.options.IgnoreRoots {
		return nil
	}
	hello := ss.InitializeParams()
	if hello == nil || hello.Capabilities == nil || hello.Capabilities.RootsV2 == nil {
		return nil
	}
	own := &roots{}
	if old, had := rootsOf.LoadOrStore(ss, own); had {
		own = old.(*roots)
	} else {
		go func() {
			_ = ss.Wait()
			rootsOf.Delete(ss)
		}()
	}
	own.mu.Lock()
	defer own.mu.Unlock()
	if !own.mute && !c.asked && (!own.asked || again && hello.Capabilities.RootsV2.ListChanged) {
		c.asked = true
		own.ask(ctx, ss)
	}
	return own.dirs
}

func (r *roots) ask(ctx context.Context, ss *mcp.ServerSession) {
	ctx, cancel := context.WithTimeout(ctx, maxAsking)
	defer cancel()
	list, err := ss.ListRoots(ctx, nil)
	r.asked, r.mute = true, err != nil
	if err != nil {
		return
	}
	r.dirs = nil
	for _, root := range list.Roots {
		if dir := folderOf(root.URI); dir != "" && files.MayTouch(dir) == nil {
			r.dirs = append(r.dirs, dir)
		}
	}
}

// folderOf is the real path of a file: URI, "" of any other and of what is not there.
func folderOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && !strings.EqualFold(u.Host, "localhost") {
		return ""
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/")
	}
	real, err := filepath.EvalSymlinks(filepath.FromSlash(path))
	if err != nil || !filepath.IsAbs(real) {
		return ""
	}
	return real
}

// mayTouch refuses a path outside of the allowed folders, and of the client's roots.
func (c *call) mayTouch(path string) error {
	if err := denied(files.MayTouch(path)); err != nil {
		return err
	}
	return c.inRoots(path)
}

// inRoots refuses a path outside of the client's roots and of the output folder, unless all files are allowed.
func (c *call) inRoots(path string) error {
	list := c.roots(true)
	all := func(dir string) bool { return filepath.Dir(dir) == dir }
	if len(list) == 0 || slices.ContainsFunc(files.InForce().Roots, all) {
		return nil
	}
	dirs := slices.Clone(list)
	if output, err := files.RealPath(outputDir(c.cwd)); err == nil {
		dirs = append(dirs, output)
	}
	real, err := files.RealPath(path)
	within := func(dir string) bool {
		rel, err := filepath.Rel(dir, real)
		return err == nil && filepath.IsLocal(rel)
	}
	if err == nil && slices.ContainsFunc(dirs, within) {
		return nil
	}
	return provider.Errorf(provider.KindBlocked,
		"File access denied: %s is outside allowed roots. Allowed roots: %s", path, strings.Join(list, ", "))
}
