package lend

import (
	"context"
	"time"

	"pwpipe/internal/browser/cdp"
)

// Bounds of an agent's end: what whoever ends it waits for, and how long it goes on behind them
// while the browser is slow.
const (
	leaveTime  = 3 * time.Second
	leavingMax = time.Minute
)

// closingPause is the time between two looks at what is still open. closingAgain is the time between
// two attempts to close the same tab: Chromium loses an attempt during a navigation.
const (
	closingPause = 10 * time.Millisecond
	closingAgain = 500 * time.Millisecond
)

// Close ends the agent: what it opened is closed, what it was lent stays.
func (b *borrower) Close() error {
	b.mu.Lock()
	ended := b.ended
	b.ended = true
	b.mu.Unlock()
	if ended {
		return nil
	}
	over := make(chan struct{})
	go func() {
		defer close(over)
		defer b.lender.leave(b)
		if b.watch != nil {
			closeAll(b)
		}
	}()
	select {
	case <-over:
	case <-time.After(leaveTime):
	}
	return b.out.Close()
}

// closeAll closes what an agent opened, and ends its sessions.
func closeAll(b *borrower) {
	ctx, cancel := context.WithTimeout(context.Background(), leavingMax)
	defer cancel()
	b.mu.Lock()
	for id := range b.made {
		b.watch.Send("Target.disposeBrowserContext", map[string]any{"browserContextId": id}, nil)
	}
	b.mu.Unlock()
	closeTabs(ctx, b)
	var ends []*cdp.Session
	b.mu.Lock()
	for _, s := range b.sessions {
		if s.browser {
			ends = append(ends, s.Session)
		}
	}
	b.mu.Unlock()
	for _, s := range append(ends, b.watch) {
		_ = s.Detach(ctx)
	}
}

// closeTabs closes the tabs that an agent opened, until none is left: while it ends, a tab that
// it has asked for may open, and a page may open others until it is gone.
func closeTabs(ctx context.Context, b *borrower) {
	for asked := map[string]time.Time{}; ; {
		var tabs []string
		b.mu.Lock()
		left := b.opening > 0
		for id, t := range b.targets {
			if !t.has || !t.made {
				continue
			}
			if left = true; time.Since(asked[id]) > closingAgain {
				asked[id] = time.Now()
				tabs = append(tabs, id)
			}
		}
		b.mu.Unlock()
		if !left {
			return
		}
		for _, id := range tabs {
			b.watch.Send("Target.closeTarget", map[string]any{"targetId": id}, nil)
		}
		select {
		case <-b.watch.Gone():
			return
		case <-ctx.Done():
			return
		case <-time.After(closingPause):
		}
	}
}
