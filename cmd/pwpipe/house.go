package main

import (
	"errors"
	"io"
	"log/slog"
	"os"
	"time"

	"pwpipe/handlers"
	"pwpipe/provider"
)

// house is what every command that drives a browser works with: the tools, the
// browser behind them, and the guard around both.
type house struct {
	log     *slog.Logger
	table   *provider.Table
	browser *handlers.Browser
	close   func() // closes the sample site; not the browser
}

// open puts the house together. It is the only place that does: a command that
// made its own table would forget the guard. logTo makes the log of a command
// (nil: lines of text), adjust has the last word on the configuration (nil:
// none).
func (o *options) open(logTo func(io.Writer, *slog.HandlerOptions) slog.Handler, adjust func(*handlers.Config)) (*house, error) {
	log, err := o.logger(logTo)
	if err != nil {
		return nil, err
	}
	table := provider.NewTable(handlers.Tools()...)
	if err := o.offer(table); err != nil {
		return nil, err
	}
	cfg, done, err := o.config(log)
	if err != nil {
		return nil, err
	}
	if adjust != nil {
		adjust(&cfg)
	}
	table.SetTimeout(time.Duration(o.timeout * float64(time.Second)))
	table.Observe = observer(log)
	o.guard.protect(table)
	return &house{log: log, table: table, browser: handlers.NewBrowser(cfg), close: done}, nil
}

// logger writes structured lines to stderr, with secrets masked.
func (o *options) logger(logTo func(io.Writer, *slog.HandlerOptions) slog.Handler) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(o.logLevel)); err != nil {
		return nil, checkValue("log-level", o.logLevel, logLevels)
	}
	if err := o.guard.readSecrets(); err != nil {
		return nil, err
	}
	if logTo == nil {
		logTo = func(w io.Writer, h *slog.HandlerOptions) slog.Handler { return slog.NewTextHandler(w, h) }
	}
	return slog.New(logTo(o.guard.secrets.Writer(os.Stderr), &slog.HandlerOptions{Level: level})), nil
}

// jsonLog is the log of a service: JSON, with times as people write them.
func jsonLog(w io.Writer, h *slog.HandlerOptions) slog.Handler {
	h.ReplaceAttr = readable
	return slog.NewJSONHandler(w, h)
}

// hideError masks the secrets in an error that ends a command.
func (o *guardOptions) hideError(err error) error {
	var status exitStatus
	if err == nil || o.secrets == nil || errors.As(err, &status) {
		return err
	}
	if masked := o.secrets.Mask(err.Error()); masked != err.Error() {
		return errors.New(masked)
	}
	return err
}
