package program

import (
	"context"
	"log/slog"
	"regexp"
	"time"

	"pwpipe/provider"
)

// reHandle matches handles of pages and contexts.
var reHandle = regexp.MustCompile(`^[a-z][0-9]{1,9}$`)

// Observer logs each call: the tool, how long, how it went; never what was
// typed or read, nor an unknown tool name or an invalid handle: these may be anything,
// such as a key in the wrong place.
func Observer(log *slog.Logger, t *provider.Table) provider.Observer {
	return func(ctx context.Context, r provider.Request, took time.Duration, err *provider.Error) {
		level, attrs := slog.LevelDebug, []slog.Attr{slog.String("tool", ToolName(t, r)), slog.Duration("took", took)}
		if id := provider.RequestID(ctx); id != "" {
			attrs = append(attrs, slog.String("request_id", id))
		}
		if IsHandle(r.Page) {
			attrs = append(attrs, slog.String("page", r.Page))
		}
		if err != nil {
			level = slog.LevelInfo
			attrs = append(attrs, slog.String("kind", string(err.Kind)))
		}
		if err != nil && err.Kind == provider.KindInternal {
			level = slog.LevelError
			attrs = append(attrs, slog.String("error", err.Error()), slog.String("stack", err.Log))
		}
		log.LogAttrs(ctx, level, "call", attrs...)
	}
}

// ToolName returns the name of a request's tool, or "unknown": what a client calls otherwise may be
// anything.
func ToolName(t *provider.Table, r provider.Request) string {
	if t.Find(r.Tool) == nil {
		return "unknown"
	}
	return r.Tool
}

// IsHandle reports whether a text may be shown as the handle of a page or a context.
func IsHandle(text string) bool { return reHandle.MatchString(text) }
