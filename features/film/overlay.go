package film

import (
	"context"
	"sync"
	"time"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/tool"
	"pwpipe/internal/browser/cdp"
	"pwpipe/internal/text/secrets"
	"pwpipe/provider"
)

// How long a film shows the name of a chapter, what a call does, and that it presses a
// button. No call waits for it.
const (
	chapterTime = 2 * time.Second
	actionTime  = 1500 * time.Millisecond
	pressTime   = 500 * time.Millisecond
)

// longestAction is the longest text for what a call does, in characters.
const longestAction = 80

// overlay is what is drawn over the pictures of a film. The page has no part in it.
type overlay struct {
	film *Film

	mu            sync.Mutex
	now           Overlay
	width, height float64 // of the page's viewport

	chapter, action, press int // how many there were
}

// show draws something for some time, unless another of its kind comes before.
func (o *overlay) show(number *int, put, take func(*Overlay), while time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	*number++
	own := *number
	put(&o.now)
	o.film.Draw(o.now)
	time.AfterFunc(while, func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		if *number == own {
			take(&o.now)
			o.film.Draw(o.now)
		}
	})
}

func (o *overlay) showChapter(name string) {
	o.show(&o.chapter, func(d *Overlay) { d.Chapter = name },
		func(d *Overlay) { d.Chapter = "" }, chapterTime)
}

// sized notes the size of the viewport.
func (o *overlay) sized(width, height float64) {
	if width > 0 && height > 0 {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.width, o.height = width, height
	}
}

// mouse draws the pointer where it is.
func (o *overlay) mouse(m cdp.Mouse) {
	put := func(d *Overlay) { d.Pointed, d.X, d.Y = true, m.X/o.width, m.Y/o.height }
	if m.Type == "mousePressed" {
		press := func(d *Overlay) { put(d); d.Pressed = true }
		o.show(&o.press, press, func(d *Overlay) { d.Pressed = false }, pressTime)
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	put(&o.now)
	o.film.Draw(o.now)
}

// follow draws the pointer, and the name of each act of the page, until the film ends.
func (o *overlay) follow(p *browser.Page) (end func()) {
	var ends []func()
	for _, s := range []*cdp.Session{p.DriversSession(), p.Direct()} { // a click takes one or the other
		if s != nil {
			ends = append(ends, s.OnMouse(o.mouse))
		}
	}
	var next func(context.Context)
	next = func(ctx context.Context) {
		if !o.film.Rolling() {
			return
		}
		o.act(ctx)
		p.OnAct(next)
	}
	p.OnAct(next)
	return func() {
		for _, end := range ends {
			end()
		}
	}
}

// act shows a call.
func (o *overlay) act(ctx context.Context) {
	spec := provider.SpecFrom(ctx)
	if spec.Profile == tool.Record.Name {
		return
	}
	text := spec.Title
	if _, target := provider.AimFrom(ctx).At(); target != "" {
		text += " " + target
	}
	text = secrets.Shorten(text, longestAction)
	o.show(&o.action, func(d *Overlay) { d.Action = text },
		func(d *Overlay) { d.Action = "" }, actionTime)
}
