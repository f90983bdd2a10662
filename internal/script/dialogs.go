package script

import (
	"sync"

	"github.com/playwright-community/playwright-go"
)

// dialogs knows which dialogs the script answers, so that nobody else does.
type dialogs struct {
	mu        sync.Mutex
	listeners map[any]int // pages and contexts whose dialogs the script listens to
	delivered map[playwright.Dialog]bool
}

func (d *dialogs) listen(on any, by int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.listeners == nil {
		d.listeners, d.delivered = map[any]int{}, map[playwright.Dialog]bool{}
	}
	if d.listeners[on] += by; d.listeners[on] <= 0 {
		delete(d.listeners, on)
	}
}

// deliver notes a dialog before the script hears of it: a listener for one
// dialog may be gone when TakesDialog is asked.
func (d *dialogs) deliver(dialog playwright.Dialog) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.delivered[dialog] = true
}

// TakesDialog reports whether the script has, or will get, a dialog to answer.
// It is asked once for each.
func (r *Runtime) TakesDialog(dialog playwright.Dialog) bool {
	d := &r.dialogs
	d.mu.Lock()
	defer d.mu.Unlock()
	taken := d.delivered[dialog]
	delete(d.delivered, dialog)
	if p := dialog.Page(); p != nil && !taken {
		taken = d.listeners[p] > 0 || d.listeners[p.Context()] > 0
	}
	return taken
}
