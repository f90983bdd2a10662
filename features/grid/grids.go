// Package grid has browsers of a Selenium Grid started, and connects to them.
package grid

import (
	"context"
	"log/slog"

	"pwpipe/handlers/launch"
	"pwpipe/internal/browser/cdp"
	"pwpipe/internal/browser/grid"
)

// Of has the browsers come from a grid. Playwright's own way there (SELENIUM_REMOTE_URL) tells
// neither the session, which is to be kept and to be ended, nor where its DevTools is, which
// scripts and clients need.
func Of(o grid.Options) *launch.Source {
	return &launch.Source{Place: "of the grid at " + o.Hub, Fresh: true, Patience: grid.OpenTime, Ready: o.Ready,
		Unguarded: "a browser of a grid: interception and checks enforce its policy, and no proxy does; " +
			"set a proxy of the node with --grid-capabilities, see docs/guard.md",
		Dial: func(ctx context.Context, _ *slog.Logger, folder string) (*launch.Reached, error) {
			s, err := grid.Open(ctx, o)
			if err != nil {
				return nil, err
			}
			if err = s.Note(folder); err == nil {
				var conn *cdp.Conn
				if conn, err = cdp.Dial(ctx, s.CDP, nil); err == nil {
					return &launch.Reached{Conn: conn, Gone: s.Gone(), Leave: s.Close}, nil
				}
			}
			s.Close()
			return nil, err
		}}
}

// EndLeft ends the sessions of runs that were killed, by the folders that these left.
func EndLeft(folders []string) { grid.EndLeft(folders) }
