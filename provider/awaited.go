package provider

import "context"

type awaitedKey struct{}

// awaited lets code that runs for a job ask whether other jobs wait for its end.
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

// Awaited reports whether another request on the same stream and page waits for the end
// of the request that ctx, a handler's context, belongs to.
func Awaited(ctx context.Context) bool {
	awaited, ok := ctx.Value(awaitedKey{}).(func() bool)
	return ok && awaited()
}
