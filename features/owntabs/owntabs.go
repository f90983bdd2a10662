// Package owntabs connects to the browser that a person uses, whose tabs are lent: over a
// connection that the person allows, or by pwpipe's extension.
package owntabs

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"pwpipe/features/owntabs/extension"
	"pwpipe/features/owntabs/lend"
	"pwpipe/handlers/launch"
	"pwpipe/internal/browser/cdp"
)

// Named is the browser that a person uses, by its name in --cdp; nil for an address. Its client
// is nil of the extension.
func Named(name string, log *slog.Logger) (*launch.Source, *lend.Client) {
	switch {
	case name == extension.Name:
		return byExtension(), nil
	case lend.IsPersonal(name):
		c := clientOf(name, log)
		return byConsent(name, c), c
	}
	return nil, nil
}

// clientOf borrows tabs over a connection of this process.
func clientOf(name string, log *slog.Logger) *lend.Client {
	l := lend.Of(name)
	dial := l.Dial
	l.Dial = func(ctx context.Context) (*cdp.Conn, error) {
		log.Warn(lend.Asks(name))
		return dial(ctx)
	}
	return &lend.Client{Connect: lend.Inside(l)}
}

func byConsent(name string, c *lend.Client) *launch.Source {
	return &launch.Source{Place: "at " + name, Persons: true, Lent: c.IsLent,
		Dial: func(ctx context.Context, _ *slog.Logger, _ string) (*launch.Reached, error) {
			conn, lent, err := c.Borrow(ctx)
			if err != nil {
				return nil, err
			}
			return &launch.Reached{Conn: conn, Lend: lent}, nil
		}}
}

// byExtension waits for the first tab that the person lends with pwpipe's extension.
func byExtension() *launch.Source {
	return &launch.Source{Place: "at " + extension.Name, Persons: true,
		Dial: func(ctx context.Context, log *slog.Logger, _ string) (*launch.Reached, error) {
			log.Warn("waiting for a tab: click the button of pwpipe's extension in the tab that pwpipe is to have")
			var returned sync.Map // why, by target
			conn, err := extension.Dial(ctx, func(target, why string) { returned.Store(target, why) })
			if err != nil {
				return nil, err
			}
			fate := func(target string) string {
				why, _ := returned.Load(target)
				text, _ := why.(string)
				return text
			}
			return &launch.Reached{Conn: conn, Fate: fate, Narrow: errOnlyTabs}, nil
		}}
}

// errOnlyTabs is why scripts and DevTools clients get no line: what keeps them in their pages
// holds requests of the whole browser back, and the extension has one session with a tab,
// which the driver needs.
var errOnlyTabs = errors.New("scripts and DevTools clients need a browser that is debugged as a whole, " +
	"and the extension lends single tabs; the other tools work")
