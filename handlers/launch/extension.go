package launch

import (
	"context"
	"log/slog"

	"pwpipe/internal/browser/extension"
)

// attachToExtension waits for the first tab that the person lends with pwpipe's extension.
func (r *Run) attachToExtension(log *slog.Logger) error {
	log.Warn("waiting for a tab: click the button of pwpipe's extension in the tab that pwpipe is to have")
	ctx, cancel := context.WithTimeout(context.Background(), dialTime)
	defer cancel()
	conn, err := extension.Dial(ctx)
	if err != nil {
		return err
	}
	return r.join(conn)
}
