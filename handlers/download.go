package handlers

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/internal/driver"
	"pwpipe/provider"
)

func downloadTools() []*provider.Tool {
	spec := Act.Acts("download", "Download", "Click an element, or go to a URL, that starts a download; save it and answer its path").Within(60 * time.Second)
	return []*provider.Tool{
		onPage(spec, download),
	}
}

type downloadParams struct {
	Sel  Selector `json:"sel,omitempty" doc:"selector of what starts the download"`
	Path string   `json:"path,omitempty" secrets:"no" doc:"file, or folder in which the server's name is kept; default: a new folder for temporary files, kept for a day"`
	URL  URL      `json:"url,omitempty" doc:"address to download instead of a click"`
}

// download is page.waitForDownload around a click, and download.saveAs.
func download(c *call, in downloadParams) (string, error) {
	if (in.Sel == "") == (in.URL == "") {
		return "", provider.Errorf(provider.KindArgs, "give one of sel and url")
	}
	if in.Path != "" && !isFolder(in.Path) {
		if err := checkTarget(in.Path); err != nil {
			return "", err
		}
	}
	d, err := c.startDownload(in)
	if err != nil {
		return "", err
	}
	stop := context.AfterFunc(c.ctx, func() { _ = d.Cancel() })
	defer stop()
	path, err := downloadTarget(in.Path, c.fileNamed(d.SuggestedFilename()))
	if err != nil {
		return "", err
	}
	if in.Path == "" { // a new folder, which need not be one that tools may use
		if err = writeError(path, diskError(d.SaveAs(path))); err != nil {
			_ = os.RemoveAll(filepath.Dir(path))
		}
	} else {
		err = saved(path, func(temp string) error { return d.SaveAs(temp) })
	}
	if c.ctx.Err() != nil && err != nil {
		return "", c.ctx.Err()
	}
	return path, c.wrote(err)
}

func (c *call) startDownload(in downloadParams) (playwright.Download, error) {
	url := string(in.URL)
	sel := string(in.Sel)
	var started error
	d, err := c.pw.ExpectDownload(func() error {
		if in.Sel != "" {
			started = c.once(sel, func(timeout *float64, trial bool) error {
				return c.frame().Click(sel, playwright.FrameClickOptions{Timeout: timeout, Trial: &trial})
			})
			return started
		}
		started = c.goTo(url, nil)
		if started != nil && (mentions(started, "Download is starting") || mentions(started, "ERR_ABORTED")) {
			started = nil // what Chromium calls a navigation that became a download
		}
		return started
	}, playwright.PageExpectDownloadOptions{Timeout: c.left()})
	switch {
	case started != nil && in.URL != "":
		return nil, c.navError(started, url)
	case started != nil:
		return nil, started
	case errors.Is(err, playwright.ErrTimeout):
		e := provider.AsError(c.fail(err, ""))
		e.Msg = "no download started: " + e.Msg
		return nil, e
	}
	return d, c.fail(err, sel)
}

func isFolder(path string) bool {
	if strings.HasSuffix(path, "/") || strings.HasSuffix(path, string(filepath.Separator)) {
		return true
	}
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// fileNamed is the server's name for a file, secrets masked as names of files
// can have it.
func (p *page) fileNamed(name string) string {
	hidden := p.hide(name)
	if hidden == name {
		return name
	}
	return strings.NewReplacer("<secret:", "secret-", ">", "").Replace(hidden)
}

// downloadTarget is where a download goes. The server's name is only a name: no
// part of it chooses the folder.
func downloadTarget(path, name string) (string, error) {
	name = filepath.Base(filepath.Clean("/" + strings.ReplaceAll(name, `\`, "_")))
	if name == "/" || name == "." || name == string(filepath.Separator) {
		name = "download"
	}
	switch {
	case path == "":
		dir, err := newFolder(cmp.Or(chosenOutput(), os.TempDir()), driver.DownloadPrefix)
		return filepath.Join(dir, name), err
	case isFolder(path):
		path = filepath.Join(path, name)
		return path, checkTarget(path)
	}
	return path, nil
}
