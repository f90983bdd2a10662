package lend

import (
	"context"
	"encoding/json"
)

// The browser takes all agents' commands in one queue. So that no agent fills it, its commands
// come in portions: of a further one none is read until the browser has come to the last but one.
const (
	portionCommands = 128
	portionBytes    = 8 << 20
)

// pace lets an agent's commands through.
type pace struct {
	b               *borrower
	commands, bytes int           // of this portion
	last            chan struct{} // closed when the browser has come to the end of the last one
}

// took counts a command that was taken, and waits if it ends a portion too early. It reports
// whether the agent goes on.
func (p *pace) took(ctx context.Context, bytes int) bool {
	p.commands++
	if p.bytes += bytes; p.commands < portionCommands && p.bytes < portionBytes {
		return true
	}
	p.commands, p.bytes = 0, 0
	before, now := p.last, make(chan struct{})
	p.last = now
	p.b.watch.Send("Browser.getVersion", nil, func(json.RawMessage, error) { close(now) })
	if before == nil {
		return true
	}
	select {
	case <-before:
		return true
	case <-p.b.watch.Gone():
	case <-ctx.Done():
	}
	return false
}
