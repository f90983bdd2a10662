package launch

import (
	"context"

	"pwpipe/internal/machine/setup"
)

// walled is what was found out about the browser's own sandbox.
type walled struct {
	setup.Confinement
	err error // what keeps a browser from starting
}

// findSandbox finds out whether to start the browser with its own sandbox on,
// while the driver starts, and has whoever needs no more than that go on.
func (o StartOptions) findSandbox(in *setup.Installed, anew bool, found func(on bool)) <-chan walled {
	finding := make(chan walled, 1)
	if o.attaches() {
		finding <- walled{}
		return finding
	}
	go func() {
		c, err := setup.Sandbox(context.Background(), setup.Options{Sandbox: o.Sandbox}, in, anew)
		if err == nil {
			found(c.On)
		}
		finding <- walled{c, err}
	}()
	return finding
}
