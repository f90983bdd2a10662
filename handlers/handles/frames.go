package handles

import (
	"slices"
	"sync"

	"github.com/playwright-community/playwright-go"
)

// Frames are a page's frames in the order in which they came, kept from
// events. playwright-go v0.6000.0 writes its own list without a lock while others read
// it, as its lists of children.
type Frames struct {
	mu   sync.Mutex
	list []playwright.Frame
}

// Watch follows a page. It is called before a script of the page can run, or
// inside an event callback, which holds other events up.
func (l *Frames) Watch(pw playwright.Page) {
	pw.OnFrameAttached(l.add)
	pw.OnFrameNavigated(l.add)
	pw.OnFrameDetached(l.remove)
	for _, f := range AttachedTo(pw.MainFrame()) {
		l.add(f)
	}
}

func (l *Frames) add(f playwright.Frame) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !slices.Contains(l.list, f) && !f.IsDetached() {
		l.list = append(l.list, f)
	}
}

func (l *Frames) remove(f playwright.Frame) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = slices.DeleteFunc(l.list, func(o playwright.Frame) bool { return o == f })
}

// All is page.frames: the main frame is the first.
func (l *Frames) All() []playwright.Frame {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.list)
}

// Children is frame.childFrames.
func (l *Frames) Children(of playwright.Frame) []playwright.Frame {
	return slices.DeleteFunc(l.All(), func(f playwright.Frame) bool { return f.ParentFrame() != of })
}

// AttachedTo are a frame and those below it, as playwright-go knows them now.
func AttachedTo(f playwright.Frame) []playwright.Frame {
	list := []playwright.Frame{f}
	for _, child := range f.ChildFrames() {
		if !child.IsDetached() {
			list = append(list, AttachedTo(child)...)
		}
	}
	return list
}
