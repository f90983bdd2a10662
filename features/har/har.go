// Package har records the network into HAR files, and answers from them.
package har

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/emulate"
	"pwpipe/handlers/files"
	"pwpipe/handlers/tool"
	"pwpipe/internal/policy/har"
	"pwpipe/internal/policy/urlglob"
	"pwpipe/provider"
)

// Tools record and replay HAR files.
func Tools() []*provider.Tool {
	return []*provider.Tool{
		tool.OnPage(tool.Net.Acts("har-record", "Record HAR",
			"Record the context's network traffic from now on into a HAR file, written when the context closes (close-ctx, or the end of the run)").
			Within(10*time.Second).OwnAnswers(), harRecord),
		tool.OnPageDo(tool.Net.Acts("har-replay", "Replay HAR",
			"Answer the context's requests from a HAR file").Within(10*time.Second), harReplay),
	}
}

type harRecordParams struct {
	Path tool.WritePath `json:"path" doc:"HAR file to write, or .zip with the bodies beside it"`
	URL  string         `json:"url,omitempty" doc:"record only requests that match this glob"`
}

// harRecord is context.routeFromHAR with update.
func harRecord(c *tool.Call, in harRecordParams) (string, error) {
	only, err := globOf(c, in.URL)
	if err != nil {
		return "", err
	}
	path := string(in.Path)
	temp := TempHAR(c.Ctx, c.Session.Browser, c.Engine, path)
	o := playwright.BrowserContextRouteFromHAROptions{Update: playwright.Bool(true),
		UpdateContent: playwright.RouteFromHarUpdateContentPolicyEmbed, UpdateMode: playwright.HarModeFull}
	if err := c.Context.RouteFromHAR(temp, o); err != nil {
		return "", c.Fail(err, "")
	}
	Records(c.Session, c.Context, temp, placeOf(c.Session.Browser, temp), only)
	c.Engine.Records.Add(func(*browser.Engine) { c.Session.EndContext(c.Context) })
	return path, nil
}

type harReplayParams struct {
	Path    tool.ReadPath `json:"path" doc:"HAR file"`
	URL     string        `json:"url,omitempty" doc:"answer only requests that match this glob"`
	Missing string        `json:"missing,omitempty" doc:"what happens to requests that are not in the file" enum:"abort,fallback" default:"abort"`
}

// harReplay is context.routeFromHAR.
func harReplay(c *tool.Call, in harReplayParams) error {
	only, err := globOf(c, in.URL)
	if err != nil {
		return err
	}
	path, done, err := CheckedHAR(string(in.Path))
	if err != nil {
		return err
	}
	defer done()
	o := playwright.BrowserContextRouteFromHAROptions{NotFound: tool.Pick[playwright.HarNotFound](in.Missing)}
	if only != nil {
		o.URL = only.Match // the driver gets all URLs
	}
	return c.Fail(c.Context.RouteFromHAR(path, o), "")
}

// globOf is the glob for the requests to record or answer, nil for all.
func globOf(c *tool.Call, text string) (*urlglob.Glob, error) {
	if text == "" {
		return nil, nil
	}
	glob, err := urlglob.Compile(text, c.Session.Browser.Config.BaseURL)
	if err != nil {
		return nil, provider.Errorf(provider.KindArgs, "url: %w", err)
	}
	return glob, nil
}

// CheckedHAR reads a HAR (or a .zip of one) that is to be replayed, and answers the
// path of a copy for the driver, without names of files in it: [har]. The copy exists
// until done is called, which may be as soon as routeFromHAR has returned: the driver
// reads it once, at the start.
//
// Recording (update) writes; its path must pass CheckTarget.
func CheckedHAR(path string) (usable string, done func(), err error) {
	root, name, err := files.WithinFolder(path)
	if err != nil {
		return "", nil, err
	}
	defer root.Close()
	f, err := har.OpenRegular(root, name)
	if err != nil {
		return "", nil, wordHAR(path, err)
	}
	defer f.Close()
	usable, done, err = har.HandOut(func(w io.Writer) error {
		if strings.EqualFold(filepath.Ext(path), ".zip") {
			info, err := f.Stat()
			if err != nil {
				return err
			}
			return har.FromZip(w, f, info.Size())
		}
		return har.FromFile(w, f, besideHAR(path))
	})
	return usable, done, wordHAR(path, err)
}

// besideHAR opens the bodies that a HAR names, in the folder of its path, from which a
// link may lead away.
func besideHAR(path string) har.Open {
	return func(name string) (io.ReadCloser, error) {
		root, folder, err := files.WithinFolder(filepath.Dir(path))
		if err != nil {
			return nil, &har.Refused{File: name, Reason: "the HAR's folder is outside of the allowed folders"}
		}
		defer root.Close()
		body, err := har.Beside(root, folder)(name) // it has the better error about links
		if err == nil && files.MayTouch(filepath.Join(filepath.Dir(path), name)) != nil {
			_ = body.Close()
			err = &har.Refused{File: name, Reason: "it is outside of the allowed folders"}
		}
		return body, err
	}
}

// wordHAR makes the error for an invalid HAR.
func wordHAR(path string, err error) error {
	var refused *har.Refused
	var gone *fs.PathError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &refused):
		return provider.Errorf(provider.KindBlocked, "path: %s: %w", path, err).
			WithHint("record it again with bodies embedded, or as a .zip with the bodies inside")
	case errors.As(err, &gone):
		err = gone.Err
	}
	return provider.Errorf(provider.KindArgs, "path: %s: %w", path, err)
}

// Playwright writes a HAR when its context closes. If the write fails, it does not
// close the context. So it writes into the run's own folder, and pwpipe moves the whole
// file to its place.

// harPlaces are the final places of the HARs in the run's folder, by their names there.
var harPlaces browser.State[*browser.Browser, sync.Map]

// place is the final place of a HAR, and the callback for when it is there.
type place struct {
	path    string // "" if it stays
	written func()
}

// Check refuses to record a session's contexts where that is left out: then nobody moves the
// file to its place.
func Check(s *browser.Session) error {
	if emulate.HAR.Of(s.Browser.Config) == nil {
		return emulate.ErrNoHAR()
	}
	return nil
}

// TempHAR is a name in the run's folder for a HAR whose final place is path, for the
// call of ctx.
func TempHAR(ctx context.Context, b *browser.Browser, e *browser.Engine, path string) string {
	temp := filepath.Join(e.Driver.Temp, "har-"+rand.Text()+filepath.Ext(path))
	harPlaces.Of(b).Store(temp, place{path, provider.Writes(ctx, path)})
	return temp
}

// placeOf is the final place of a HAR.
func placeOf(b *browser.Browser, temp string) place {
	known, _ := harPlaces.Of(b).LoadAndDelete(temp)
	to, _ := known.(place)
	return to
}

// move moves the finished HAR to its place.
func (h *recordedHAR) move() {
	if h.place.path == "" {
		return
	}
	switch h.lost = files.CopyPrivate(h.place.path, h.path); {
	case h.lost == nil:
		h.place.written()
	case errors.Is(h.lost, fs.ErrNotExist):
		h.lost = h.unwritten()
	}
	_ = os.Remove(h.path)
}

// unwritten is the error of a HAR that Playwright did not write.
func (h *recordedHAR) unwritten() error {
	if h.place.path == "" {
		return nil
	}
	return provider.Errorf(provider.KindFailed, "there is no HAR for %s: its context was gone before it was written", h.place.path)
}
