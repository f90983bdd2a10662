package program

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// stopped is why a context ended: the signal that was caught.
type stopped struct{ os.Signal }

func (s stopped) Error() string { return "stopped by " + s.Signal.String() }

// untilSignal ends the context at the first signal that asks us to stop.
// After stop a further one has its usual effect.
func untilSignal(parent context.Context) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(parent)
	c := make(chan os.Signal, 1)
	signal.Notify(c, stopSignals...)
	go func() {
		select {
		case s := <-c:
			cancel(stopped{s})
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(c)
		cancel(nil)
	}
}

// caught is the number of the signal that ended the context, 0 for none.
func caught(ctx context.Context) int {
	var s stopped
	if !errors.As(context.Cause(ctx), &s) {
		return 0
	}
	if n, ok := s.Signal.(syscall.Signal); ok {
		return int(n)
	}
	return int(syscall.SIGINT)
}
