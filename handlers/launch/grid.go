package launch

import (
	"context"

	"pwpipe/internal/browser/grid"
)

// openOfGrid has the grid start a browser, and attaches to it. Playwright's own way
// there (SELENIUM_REMOTE_URL) tells neither the session, which is to be kept and to
// be ended, nor where its DevTools is, which scripts and clients need.
func (r *Run) openOfGrid(o grid.Options) (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), grid.OpenTime)
	defer cancel()
	if r.ofGrid, err = grid.Open(ctx, o); err != nil {
		return err
	}
	if err := r.ofGrid.Note(r.Driver.Temp); err != nil {
		return err
	}
	return r.attach(r.ofGrid.CDP)
}
