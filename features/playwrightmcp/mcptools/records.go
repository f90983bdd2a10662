package mcptools

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/features/film"
	"pwpipe/features/scripts"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/fastpath"
	"pwpipe/handlers/files"
	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// stamp is the time in names of files.
func stamp() string {
	return strings.NewReplacer(":", "-", ".", "-").Replace(time.Now().UTC().Format("2006-01-02T15:04:05.000Z"))
}

// traced begins the trace of a context, for --save-trace.
func traced(s *browser.Session, o *browser.Opened) error {
	if !optionsOf(s).SaveTrace {
		return nil
	}
	err := o.Tracing().Start(playwright.TracingStartOptions{Screenshots: playwright.Bool(true),
		Snapshots: playwright.Bool(true)})
	if err != nil {
		return fmt.Errorf("--save-trace: %w", err)
	}
	fastpath.Avoid(s, o.BrowserContext, true) // a trace does not show what bypasses the driver
	return nil
}

// keepTrace writes the trace of a context that is about to be closed.
func keepTrace(ctx context.Context, s *browser.Session, e *browser.Engine, c playwright.BrowserContext, name string) {
	o := optionsOf(s)
	if !o.SaveTrace {
		return
	}
	cwd, err := os.Getwd()
	path := filepath.Join(outputDir(cwd), "trace-"+name+"-"+stamp()+".zip") // two contexts may close in one millisecond
	if err == nil {
		err = browser.AwaitDo(ctx, e, nil, func() error {
			return files.SavedPrivate(path, func(temp string) error { return c.Tracing().Stop(temp) })
		})
	}
	if err != nil {
		o.Say("the trace could not be kept: " + pwerrors.FirstLine(pwerrors.CleanMessage(err)))
	}
}

// begun holds what has been done to pages before their use, by page.
var begun browser.State[*browser.Page, beginning]

type beginning struct {
	mu   sync.Mutex // held while it is done
	done bool
	err  error // of a function of --init-page
}

// begin films a page and runs the functions of --init-page on it, once. A page on which one
// fails answers with its error.
func (c *call) begin(p *browser.Page) error {
	if c.options.SaveVideo == nil && len(c.options.InitPages) == 0 {
		return nil
	}
	b := begun.Of(p)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.done || kept.Of(c.session).open() != nil {
		return b.err
	}
	b.done = true
	if film := c.options.SaveVideo; film != nil {
		if err := c.film(p, film); err != nil {
			c.options.Say("the page is not filmed: " + err.Error())
		}
	}
	for _, path := range c.options.InitPages {
		if err := c.initPage(p, path); err != nil {
			b.err = provider.Errorf(provider.KindFailed, "Failed to load init page %q: %w", path, err)
			break
		}
	}
	return b.err
}

// beginAll is begin for every open page: those that a page or a script has opened.
func (c *call) beginAll() {
	for _, p := range c.session.OpenPages() {
		_ = c.begin(p) // the next call on that page answers its error
	}
}

// film begins the film of a page, which ends with the page.
func (c *call) film(p *browser.Page, f *Film) error {
	dir := cmp.Or(f.Dir, outputDir(c.cwd))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	params := film.VideoParams{Path: tool.WritePath(filepath.Join(dir, "video-"+p.Name+"-"+stamp()+".webm"))}
	if f.Width > 0 {
		params.Size = fmt.Sprintf("%dx%d", f.Width, f.Height)
	}
	_, err := film.VideoStart.Call(c.ctx, provider.Request{Page: p.Name}, params)
	return err
}

var (
	// reOwnImports are imports that only name types and what scripts have in scope anyway.
	reOwnImports = regexp.MustCompile(`(?m)^\s*import\s+(?:type\s+[^;'"]*|[^;'"]*?)from\s+` +
		`['"](?:@playwright/test|playwright|playwright-core)['"];?[ \t]*$`)
	reDefault = regexp.MustCompile(`(?m)^(\s*)export\s+default\s+`)
)

// initPage runs the function that a file exports, in the sandbox of scripts: async ({ page }) => {…}.
func (c *call) initPage(p *browser.Page, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	code := reDefault.ReplaceAllString(reOwnImports.ReplaceAllString(string(text), ""), "${1}module.exports = ")
	code = "const module = { exports: {} };\n" + code + "\n;await (module.exports.default ?? module.exports)({ page });"
	_, err = scripts.Execute.Call(c.ctx, provider.Request{Page: p.Name},
		scripts.ExecuteParams{Outline: "none", Code: code})
	return err
}
