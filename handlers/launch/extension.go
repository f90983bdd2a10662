package launch

import (
	"context"
	"errors"
	"log/slog"

	"pwpipe/internal/browser/extension"
)

// attachToExtension waits for the first tab that the person lends with pwpipe's extension.
func (r *Run) attachToExtension(log *slog.Logger) error {
	log.Warn("waiting for a tab: click the button of pwpipe's extension in the tab that pwpipe is to have")
	ctx, cancel := context.WithTimeout(context.Background(), dialTime)
	defer cancel()
	conn, err := extension.Dial(ctx, func(target, why string) { r.returned.Store(target, why) })
	if err != nil {
		return err
	}
	if err = r.join(conn); err == nil {
		r.line.session, r.line.err = nil, errOnlyTabs
	}
	return err
}

// Fate is what became of a tab that the extension had lent, by its target; "" of another.
func (r *Run) Fate(target string) string {
	why, _ := r.returned.Load(target)
	text, _ := why.(string)
	return text
}

// errOnlyTabs is why scripts and DevTools clients get no line: what keeps them in their pages
// holds requests of the whole browser back, and the extension has one session with a tab,
// which the driver needs.
var errOnlyTabs = errors.New("scripts and DevTools clients need a browser that is debugged as a whole, " +
	"and the extension lends single tabs; the other tools work")
