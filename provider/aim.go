package provider

import (
	"context"
	"sync"
)

// Aim is the page that a call is on, and what it acts on there: known only once the
// call runs. Viewers show it, and so may an [Observer].
type Aim struct {
	mu           sync.Mutex
	page, target string
}

type aimKey struct{}

// AimFrom is the aim of the call that a context belongs to, nil outside of any.
func AimFrom(ctx context.Context) *Aim {
	a, _ := ctx.Value(aimKey{}).(*Aim)
	return a
}

// Take notes the page, and the target as people may see it: cut, secrets masked.
// Empty texts change nothing.
func (a *Aim) Take(page, target string) {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if page != "" {
		a.page = page
	}
	if target != "" {
		a.target = target
	}
}

// At is the page's handle and the target, "" where they are not known.
func (a *Aim) At() (page, target string) {
	if a == nil {
		return "", ""
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.page, a.target
}
