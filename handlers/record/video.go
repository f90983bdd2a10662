package record

import (
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/icza/mjpeg"
	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/files"
	"pwpipe/handlers/tool"
	"pwpipe/handlers/words"
	"pwpipe/provider"
)

// VideoTools film pages.
func VideoTools() []*provider.Tool {
	return []*provider.Tool{
		tool.OnPage(tool.Record.Acts("video-start", "Start video", "Film the page from now on into an .avi file (Chromium), until video-stop, the page's end or the run's").OwnAnswers(), videoStart),
		tool.OnPage(tool.Record.Acts("video-stop", "Stop video", "End the film; its path").OwnAnswers(), videoStop),
	}
}

// videoRate is frames a second.
const videoRate = 10

// filmed is the film of a page.
var filmed browser.State[*browser.Page, film]

type film struct {
	filming sync.Mutex // held while it begins or ends
	video   *video     // nil for none
}

// video is a film that is being made. Playwright's own recorder takes an
// ffmpeg that only its installer has; a film of JPEG pictures needs none.
type video struct {
	path string
	cdp  playwright.CDPSession

	mu      sync.Mutex
	avi     mjpeg.AviWriter // nil once it is closed
	begin   time.Time
	frames  int64  // written
	picture []byte // the newest, as JPEG
	err     error
}

type videoParams struct {
	Path tool.WritePath `json:"path" doc:".avi file"`
}

// videoStart is DevTools' Page.startScreencast.
func videoStart(c *tool.Call, in videoParams) (string, error) {
	if !strings.EqualFold(filepath.Ext(string(in.Path)), ".avi") {
		return "", provider.Errorf(provider.KindArgs, "path: expected an .avi file, got %q", string(in.Path))
	}
	if !c.Engine.Chromium {
		return "", provider.Errorf(provider.KindFailed, "only Chromium can be filmed")
	}
	own := filmed.Of(c.Page)
	own.filming.Lock()
	defer own.filming.Unlock()
	if v := own.video; v != nil && v.rolling() {
		return "", provider.Errorf(provider.KindFailed, "the page is being filmed into %s already", v.path).WithHint("video-stop ends it")
	}
	v, err := startFilm(c, string(in.Path))
	if err != nil {
		return "", err
	}
	own.video = v
	c.Engine.Records.Add(func(*browser.Engine) { _ = v.finish() })
	go func() {
		<-c.Page.Gone
		_ = v.finish()
	}()
	return string(in.Path), nil
}

// startFilm opens the file and has the browser send pictures.
func startFilm(c *tool.Call, path string) (*video, error) {
	size, err := c.PW.Evaluate("[innerWidth, innerHeight]")
	if err != nil {
		return nil, c.Fail(err, "")
	}
	width, height := 1280, 720
	if list, ok := size.([]any); ok && len(list) == 2 {
		width, height = words.WholeNumber(list[0]), words.WholeNumber(list[1])
	}
	s, err := c.OpenDevTools()
	if err != nil {
		return nil, c.Fail(err, "")
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, files.WriteError(path, err)
	}
	avi, err := mjpeg.New(path, int32(width), int32(height), videoRate)
	if err != nil {
		return nil, files.WriteError(path, err)
	}
	v := &video{path: path, cdp: s, avi: avi, begin: time.Now()}
	// The browser's own first picture may come late, or after a short film has
	// ended. One that can't be had (a dialog is open, say) is none the worse.
	v.picture, _ = c.PW.Screenshot(playwright.PageScreenshotOptions{Type: playwright.ScreenshotTypeJpeg, Quality: playwright.Int(80),
		Scale: playwright.ScreenshotScaleCss, Caret: playwright.ScreenshotCaretInitial, Timeout: playwright.Float(2000)})
	s.On("Page.screencastFrame", v.take)
	_, err = s.Send("Page.startScreencast", map[string]any{"format": "jpeg", "quality": 80, "maxWidth": width, "maxHeight": height})
	if err != nil {
		_ = v.finish()
		return nil, c.Fail(err, "")
	}
	return v, nil
}

// take takes a picture: an event callback, which must not call the browser.
func (v *video) take(frame map[string]any) {
	data, _ := frame["data"].(string)
	picture, err := base64.StdEncoding.DecodeString(data)
	go func() { _, _ = v.cdp.Send("Page.screencastFrameAck", map[string]any{"sessionId": frame["sessionId"]}) }()
	if err != nil || len(picture) == 0 {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.catchUp()
	v.picture = picture
}

// catchUp repeats the newest picture up to now: the browser sends one only when
// something changes. The lock is held.
func (v *video) catchUp() {
	if v.avi == nil || v.picture == nil {
		return
	}
	due := int64(time.Since(v.begin).Seconds()*videoRate) + 1
	for ; v.frames < due && v.err == nil; v.frames++ {
		v.err = v.avi.AddFrame(v.picture)
	}
}

func (v *video) rolling() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.avi != nil
}

// finish writes the end of the file, once.
func (v *video) finish() error {
	v.mu.Lock()
	if v.avi == nil {
		v.mu.Unlock()
		return v.err
	}
	v.catchUp()
	err := v.avi.Close()
	v.avi = nil
	if v.err == nil {
		v.err = err
	}
	if v.frames == 0 && v.err == nil {
		v.err = errors.New("the browser sent no picture")
	}
	err = v.err
	if err != nil {
		_ = os.Remove(v.path) // no player would take it
	}
	v.mu.Unlock()
	go func() { _ = v.cdp.Detach() }()
	return err
}

// videoStop is DevTools' Page.stopScreencast. A page of which there is no
// picture yet is given a moment to send one.
func videoStop(c *tool.Call, _ tool.NoParams) (string, error) {
	own := filmed.Of(c.Page)
	own.filming.Lock()
	defer own.filming.Unlock()
	v := own.video
	if v == nil || !v.rolling() {
		return "", provider.Errorf(provider.KindFailed, "the page is not being filmed").WithHint("video-start begins it")
	}
	for range 20 {
		v.mu.Lock()
		there := v.picture != nil
		v.mu.Unlock()
		if there {
			break
		}
		if err := c.Pause(50 * time.Millisecond); err != nil {
			return "", err
		}
	}
	own.video = nil
	if err := v.finish(); err != nil {
		return "", provider.Errorf(provider.KindFailed, "the film %s could not be written: %w", v.path, err)
	}
	return v.path, nil
}

// BeginFilm and EndFilm are video-start and video-stop for viewers.
func BeginFilm(c *tool.Call, path string) error {
	_, err := videoStart(c, videoParams{tool.WritePath(path)})
	return err
}

// EndFilm writes the end of the film to the file that it was begun with.
func EndFilm(c *tool.Call, _ string) error {
	_, err := videoStop(c, tool.NoParams{})
	return err
}
