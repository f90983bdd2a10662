package launch

import (
	"context"

	"pwpipe/internal/setup"
)

// walled is what was found out about the browser's own sandbox.
type walled struct {
	setup.Confinement
	err error // what keeps a browser from starting
}

// findSandbox finds out whether to start the browser with its own sandbox on,
// while the driver starts.
func (o StartOptions) findSandbox(in *setup.Installed, anew bool) <-chan walled {
	found := make(chan walled, 1)
	if o.attaches() {
		found <- walled{}
		return found
	}
	go func() {
		c, err := setup.Sandbox(context.Background(), setup.Options{Sandbox: o.Sandbox}, in, anew)
		found <- walled{c, err}
	}()
	return found
}
