package act

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/files"
	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/tool"
	"pwpipe/internal/machine/temp"
	"pwpipe/internal/machine/writefile"
	"pwpipe/provider"
)

// DownloadTools save files that a page makes the browser download.
func DownloadTools() []*provider.Tool {
	spec := tool.Act.Acts("download", "Download",
		"Click an element, or go to a URL, that starts a download; save it and answer its path").Within(60 * time.Second)
	return []*provider.Tool{
		tool.OnPage(spec, download),
	}
}

type downloadParams struct {
	Sel  tool.Selector `json:"sel,omitempty" doc:"selector of what starts the download"`
	Path string        `json:"path,omitempty" secrets:"no" file:"yes" doc:"file, or folder in which the server's name is kept; default: a new folder for temporary files, kept for a day"`
	URL  tool.URL      `json:"url,omitempty" doc:"address to download instead of a click"`
}

// download is page.waitForDownload around a click, and download.saveAs.
func download(c *tool.Call, in downloadParams) (string, error) {
	if (in.Sel == "") == (in.URL == "") {
		return "", provider.Errorf(provider.KindArgs, "give one of sel and url")
	}
	if in.Path != "" && !isFolder(in.Path) {
		if err := files.CheckTarget(in.Path); err != nil {
			return "", err
		}
	}
	defer noteAsked(c.Page)()
	d, err := startDownload(c, in)
	if err != nil {
		return "", err
	}
	stop := context.AfterFunc(c.Ctx, func() { _ = d.Cancel() })
	defer stop()
	path, err := saveDownload(in.Path, writefile.Name(fileNamed(c.Page, d.SuggestedFilename())), d.SaveAs)
	if c.Ctx.Err() != nil && err != nil {
		return "", c.Ctx.Err()
	}
	if err == nil {
		provider.Wrote(c.Ctx, path)
	}
	return path, c.Wrote(err)
}

// noteAsked notes, for the driver's bound on downloads that pages begin by themselves (downloads.cjs
// of internal/browser/driver), that a page is asked for one, until done is called.
func noteAsked(p *browser.Page) (done func()) {
	target := p.Target()
	if target == "" || p.Engine.Driver == nil {
		return func() {}
	}
	note := filepath.Join(p.Engine.Driver.Temp, "asked-"+target)
	f, err := writefile.New(note, writefile.Private)
	if err != nil {
		return func() {} // another call asks
	}
	_ = f.Close()
	return func() { _ = os.Remove(note) }
}

// startDownload starts a download and returns it, also one of a page that opens for it.
func startDownload(c *tool.Call, in downloadParams) (playwright.Download, error) {
	next, done := begun.Of(c.Page).expect()
	defer done()
	if in.URL != "" {
		_, err := c.GoTo(string(in.URL), nil)
		if err != nil && !pwerrors.IsAborted(err) { // Chromium's error for a navigation that became a download
			return nil, c.NavError(err, string(in.URL))
		}
	} else if err := clickOn(c, string(in.Sel)); err != nil {
		return nil, err
	}
	late := time.NewTimer(c.TimeLeft())
	defer late.Stop()
	var look <-chan time.Time // while the page may still start one: as long as it is not at rest
	guess := c.Guess()
	defer guess.Done()
	if guess != nil && in.URL == "" { // where somebody gave a time, that is how long is waited
		looks := time.NewTicker(downloadLook)
		defer looks.Stop()
		look = looks.C
	}
	for {
		select {
		case one := <-next:
			return one, nil
		case <-c.Ctx.Done():
			return nil, c.Ctx.Err()
		case <-late.C:
			e := provider.AsError(c.Fail(playwright.ErrTimeout, ""))
			e.Msg = "no download started: " + e.Msg
			return nil, e
		case <-look:
			if guess.Rests() && len(next) == 0 {
				return nil, provider.Errorf(provider.KindFailed,
					"no download started: clicked %q on %s, and %s", in.Sel, c.Where(), tool.Rested)
			}
		}
	}
}

// downloadLook is the time between two looks for a download.
const downloadLook = 50 * time.Millisecond

func isFolder(path string) bool {
	if strings.HasSuffix(path, "/") || strings.HasSuffix(path, string(filepath.Separator)) {
		return true
	}
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// fileNamed is the server's name for a file, with masks for secrets that a file name
// can contain.
func fileNamed(p *browser.Page, name string) string {
	hidden := p.Hide(name)
	if hidden == name {
		return name
	}
	return strings.NewReplacer("<secret:", "secret-", ">", "").Replace(hidden)
}

// saveDownload saves a download, and answers where it is. The server's name never chooses the
// folder, and replaces no file.
func saveDownload(path, name string, save func(temp string) error) (string, error) {
	switch {
	case path == "": // a new folder, which need not be one that tools may use
		dir, err := files.NewFolder(cmp.Or(files.ChosenOutput(), os.TempDir()), temp.DownloadPrefix)
		if err != nil {
			return "", err
		}
		at, err := files.SavedNew(dir, name, save)
		if err != nil {
			_ = os.RemoveAll(dir)
		}
		return at, err
	case isFolder(path):
		return files.SavedBeside(filepath.Join(path, name), save)
	}
	return path, files.Saved(path, save)
}
