package provider

import (
	"context"
	"sync"
)

// Aim holds the page of a call and the target on it. Both are known only once the call
// runs. Viewers and an [Observer] may show it.
type Aim struct {
	mu           sync.Mutex
	page, target string
}

type aimKey struct{}

// AimFrom is the aim of the call that a context belongs to, nil outside a call.
func AimFrom(ctx context.Context) *Aim {
	a, _ := ctx.Value(aimKey{}).(*Aim)
	return a
}

// Take stores the page and the target in the form for people: cut, secrets masked. An
// empty text leaves its value unchanged.
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

// At is the page's handle and the target, "" if unknown.
func (a *Aim) At() (page, target string) {
	if a == nil {
		return "", ""
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.page, a.target
}
