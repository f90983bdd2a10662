package film

import (
	"cmp"
	"encoding/base64"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/files"
	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/tool"
	"pwpipe/internal/machine/writefile"
	"pwpipe/provider"
)

// videoRate is the maximum number of pictures a second.
const videoRate = 10

// filmed is the film of a page.
var filmed browser.State[*browser.Page, filming]

type filming struct {
	turning sync.Mutex // held while a film begins or ends
	video   *video     // nil for none
}

// video is a film in progress. Playwright's own recorder needs an ffmpeg that only its
// installer provides; the browser's own encoder needs none.
type video struct {
	*Film
	cdp  playwright.CDPSession
	page *browser.Page
	own  bool // started by a person on the live page, not by a call
	once sync.Once

	overlay  overlay
	unfollow func() // nil for a film without the acts
}

// VideoParams are the parameters of [VideoStart].
type VideoParams struct {
	Path tool.WritePath `json:"path" doc:".webm file, as it is called without an ending; or .avi, of JPEG pictures"`
	Size string         `json:"size,omitempty" doc:"of the pictures, e.g. 800x600; default that of the page"`
	Acts bool           `json:"acts,omitempty" doc:"show the pointer and the name of each act; .webm alone"`
}

// videoStart is DevTools' Page.startScreencast.
func videoStart(c *tool.Call, in VideoParams) (string, error) { return beginVideo(c, in, false) }

func beginVideo(c *tool.Call, in VideoParams, own bool) (string, error) {
	at := filmed.Of(c.Page)
	at.turning.Lock()
	defer at.turning.Unlock()
	if v := at.video; v != nil && v.Rolling() {
		if v.own {
			return "", personFilms()
		}
		return "", provider.Errorf(provider.KindFailed, "the page is being filmed into %s already", v.Path).WithHint("video-stop ends it")
	}
	path := Named(string(in.Path), c.Engine)
	if !own { // a person's film goes to a folder that nobody else may read
		if err := files.CheckTarget(path); err != nil {
			return "", err
		}
	}
	if in.Acts && !strings.EqualFold(filepath.Ext(path), ".webm") {
		return "", provider.Errorf(provider.KindArgs, "acts: only a .webm film shows the acts, and this is %s", path)
	}
	v, err := startFilm(c, path, in.Size, own)
	if err != nil {
		return "", err
	}
	v.own, at.video = own, v
	if in.Acts {
		v.unfollow = v.overlay.follow(c.Page)
	}
	remove := c.Engine.Records.Add(func(*browser.Engine) { _ = v.finish() })
	go func() {
		<-c.Page.Gone
		_ = v.finish()
		remove()
	}()
	return path, nil
}

// sized reads the size of a film.
func sized(text string) (width, height int, err error) {
	w, h, _ := strings.Cut(text, "x")
	width, err1 := strconv.Atoi(w)
	height, err2 := strconv.Atoi(h)
	if cmp.Or(err1, err2) != nil || width < 1 || height < 1 || TooLarge(width, height) {
		return 0, 0, provider.Errorf(provider.KindArgs, "size: expected a size such as 800x600, got %q", text)
	}
	return width, height, nil
}

// startFilm opens the file and makes the browser send pictures.
func startFilm(c *tool.Call, path, wanted string, persons bool) (*video, error) {
	size, err := c.PW.Evaluate("[innerWidth, innerHeight]")
	if err != nil {
		return nil, c.Fail(err, "")
	}
	width, height := 1280, 720
	if list, ok := size.([]any); ok && len(list) == 2 {
		width, height = pwerrors.WholeNumber(list[0]), pwerrors.WholeNumber(list[1])
	}
	inner := [2]int{max(width, 1), max(height, 1)}
	if width < 1 || height < 1 || TooLarge(width, height) { // a page can have any title
		width, height = 1280, 720
	}
	if wanted != "" {
		if width, height, err = sized(wanted); err != nil {
			return nil, err
		}
	}
	open := func(path string) (*os.File, error) { return files.Empty(path, writefile.Public) }
	if persons { // in a folder of ours, which tools may not use
		open = func(path string) (*os.File, error) { return writefile.New(path, writefile.Private) }
	}
	own, err := Start(c.Engine, path, open, width, height, videoRate)
	if err != nil {
		return nil, err
	}
	s, err := c.OpenDevTools()
	if err != nil {
		_ = own.Finish()
		return nil, c.Fail(err, "")
	}
	v := &video{Film: own, cdp: s, page: c.Page}
	v.overlay.film, v.overlay.width, v.overlay.height = own, float64(inner[0]), float64(inner[1])
	// The browser's own first picture may come late, or after a short film has ended.
	// It does no harm if this one fails, as with an open dialog.
	first, err := c.PW.Screenshot(playwright.PageScreenshotOptions{Type: playwright.ScreenshotTypeJpeg, Quality: playwright.Int(80),
		Scale: playwright.ScreenshotScaleCss, Caret: playwright.ScreenshotCaretInitial, Timeout: playwright.Float(2000)})
	if err == nil {
		v.Add(first)
	}
	s.On("Page.screencastFrame", v.take)
	_, err = s.Send("Page.startScreencast", map[string]any{"format": "jpeg", "quality": 80, "maxWidth": width, "maxHeight": height})
	if err != nil {
		_ = v.finish()
		return nil, c.Fail(err, "")
	}
	return v, nil
}

// take stores a picture. It is an event callback, so it must not call the browser.
func (v *video) take(frame map[string]any) {
	data, _ := frame["data"].(string)
	if m, ok := frame["metadata"].(map[string]any); ok {
		width, _ := m["deviceWidth"].(float64)
		height, _ := m["deviceHeight"].(float64)
		v.overlay.sized(width, height)
	}
	picture, err := base64.StdEncoding.DecodeString(data)
	go func() { _, _ = v.cdp.Send("Page.screencastFrameAck", map[string]any{"sessionId": frame["sessionId"]}) }()
	if err == nil && len(picture) > 0 {
		v.Add(picture)
	}
}

// finish writes the end of the file.
func (v *video) finish() error {
	err := v.Finish()
	v.once.Do(func() {
		if v.unfollow != nil {
			v.unfollow()
		}
		if err == nil && !v.own {
			made.Of(v.page.Session).note(v.Path, v.page.Name)
		}
		go func() { _ = v.cdp.Detach() }()
	})
	return err
}

// personFilms is the error of a call while a person films the page.
func personFilms() error {
	return provider.Errorf(provider.KindFailed, "a person films this page in the live page")
}

// videoStop is DevTools' Page.stopScreencast.
func videoStop(c *tool.Call, _ tool.NoParams) (string, error) {
	path, err := stopVideo(c, false)
	if err == nil {
		provider.Wrote(c.Ctx, path)
	}
	return path, err
}

// stopVideo ends a film of a call, or of a person. A page without a picture gets a
// moment to send one.
func stopVideo(c *tool.Call, persons bool) (string, error) {
	own := filmed.Of(c.Page)
	own.turning.Lock()
	defer own.turning.Unlock()
	v := own.video
	if v == nil || !v.Rolling() {
		return "", notFilmed()
	}
	if v.own && !persons {
		return "", personFilms()
	}
	for n := 0; n < 20 && !v.Pictured(); n++ {
		if err := c.Pause(50 * time.Millisecond); err != nil {
			return "", err
		}
	}
	own.video = nil
	if err := v.finish(); err != nil {
		return "", provider.Errorf(provider.KindFailed, "the film %s could not be written: %w", v.Path, err)
	}
	return v.Path, nil
}

// BeginFilm and EndFilm are video-start and video-stop for viewers. BeginFilm answers
// the path, whose ending shows the format.
func BeginFilm(c *tool.Call, path string) (string, error) {
	return beginVideo(c, VideoParams{Path: tool.WritePath(path)}, true)
}

// EndFilm writes the end of the film to its file.
func EndFilm(c *tool.Call, _ string) error {
	_, err := stopVideo(c, true)
	return err
}

// ChapterParams are the parameters of [VideoChapter].
type ChapterParams struct {
	Name string `json:"name" secrets:"no" doc:"at most 60 characters"`
}

// videoChapter is screencast.showChapter, in the film alone: the page has no part in it.
func videoChapter(c *tool.Call, in ChapterParams) error {
	name := tool.Plain(in.Name)
	if n := utf8.RuneCountInString(name); n == 0 || n > MaxChapter {
		return provider.Errorf(provider.KindArgs, "name: expected 1 to %d characters, got %d", MaxChapter, n)
	}
	own := filmed.Of(c.Page)
	own.turning.Lock()
	defer own.turning.Unlock()
	v := own.video
	switch {
	case v == nil || !v.Rolling():
		return notFilmed()
	case v.own:
		return personFilms()
	case !strings.EqualFold(filepath.Ext(v.Path), ".webm"):
		return provider.Errorf(provider.KindFailed, "an .avi film has no chapters").
			WithHint("video-start makes .webm too")
	case !v.Chapter(name):
		return provider.Errorf(provider.KindLimit, "the film has %d chapters, which are the most", MaxChapters)
	}
	v.overlay.showChapter(name)
	return nil
}

func notFilmed() error {
	return provider.Errorf(provider.KindFailed, "the page is not being filmed").WithHint("video-start begins it")
}
