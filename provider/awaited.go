package provider

import "context"

type awaitedKey struct{}

// awaited lets what runs for a job know whether others wait for its end.
func (l *Lanes) awaited(ctx context.Context, j *job) context.Context {
	return context.WithValue(ctx, awaitedKey{}, func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		for _, b := range j.blocks {
			if !b.finished {
				return true
			}
		}
		return false
	})
}

// Awaited reports whether a request waits for the end of the one that a
// handler's context belongs to: on the same stream, for its page.
func Awaited(ctx context.Context) bool {
	awaited, ok := ctx.Value(awaitedKey{}).(func() bool)
	return ok && awaited()
}
