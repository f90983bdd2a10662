package watch

import (
	"strings"
	"time"

	"pwpipe/handlers/browser"
)

// mayShow reports whether the policy allows the page's URL: people don't see what tools
// don't show.
func mayShow(p *browser.Page) bool {
	url := p.PW.URL()
	return url == "" || strings.HasPrefix(url, "chrome-error:") || p.Session.Browser.Policy().At(url) == nil
}

// shownFrame goes before the bytes of a picture.
type shownFrame struct {
	Is      string  `json:"is"`
	Session string  `json:"session"`
	Page    string  `json:"page"`
	Width   float64 `json:"width"`
	Height  float64 `json:"height"`
}

// film shows the chosen page as it changes, while the viewer sees it.
func (l *look) film() {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	var shown string
	for l.ctx.Err() == nil {
		if p := l.current(); p != nil && l.stays(p) {
			if err := l.filmPage(p); err != nil && err.Error() != shown {
				shown = err.Error()
				_ = l.viewer.to.Show(map[string]string{"is": "dark", "session": keyOf(l.session), "text": p.Short(shown, keptError)}, nil)
			}
		}
		select {
		case <-l.changed:
		case <-tick.C:
		case <-l.ctx.Done():
		}
	}
}

// filmPage shows one page until another is chosen.
func (l *look) filmPage(p *browser.Page) error {
	own, err := films.Of(p).sit(l.ctx, p)
	if err != nil {
		return err
	}
	l.sit(own, p)
	defer func() { l.sit(nil, nil); own.leave() }()
	gone := own.session().Gone()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for l.stays(p) {
		select {
		case <-own.ready:
			if fr := own.take(); fr == nil || !mayShow(p) || !l.draw(p, fr) {
				return nil
			}
		case <-l.changed:
		case <-tick.C:
		case <-gone:
			return nil
		case <-l.ctx.Done():
			return nil
		}
	}
	return nil
}

func (l *look) sit(s *seat, p *browser.Page) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.live, l.pages = s, p
}

// stays reports whether the page is still the one to show.
func (l *look) stays(p *browser.Page) bool {
	return l.viewer.visible.Load() && l.current() == p && mayShow(p)
}

// draw sends one frame and waits until it is drawn: one at a time.
func (l *look) draw(p *browser.Page, fr *frame) bool {
	l.shown.drop() // of a frame that was given up
	if l.viewer.to.Show(shownFrame{"frame", keyOf(l.session), p.Name, fr.width, fr.height}, fr.jpeg) != nil {
		return false
	}
	select {
	case <-l.shown:
	case <-time.After(drawTime):
	case <-l.ctx.Done():
		return false
	}
	return true
}
