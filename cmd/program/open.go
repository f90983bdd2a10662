package program

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"

	"pwpipe/handlers"
	"pwpipe/handlers/state"
	"pwpipe/internal/shell/thin"
	"pwpipe/provider"
)

// Running is a command that drives a browser: its tools, the browser behind them, and the
// guard around both.
type Running struct {
	Log     *slog.Logger
	Table   *provider.Table
	Browser *handlers.Browser
	Pool    *handlers.Pool // of sessions that requests name, nil for none
	close   func()
}

// Close closes the sample site, and has features follow no more. It does not close the browser.
func (h *Running) Close() { h.close() }

// Opening is in what commands that drive a browser differ.
type Opening struct {
	LogJSON bool                         // as services do; else lines of text
	Adjust  func(*handlers.Config) error // has the last word on the configuration; nil: none
	Pool    *handlers.PoolOptions        // nil: requests name no sessions
	// profile is what MCP was asked to list, and becomes what it lists; nil:
	// nobody speaks it.
	Profile *string
}

// Open puts tools, browser and guard together. It is the only place that does: a command that
// made its own table would forget the guard.
func (o *Options) Open(p Opening) (_ *Running, err error) {
	log, err := o.logger(p.LogJSON)
	if err != nil {
		return nil, err
	}
	tools := o.Program.Tools()
	hidden, err := o.hidden(tools)
	if err != nil {
		return nil, err
	}
	cfg, done, err := o.config(log)
	if err != nil {
		return nil, err
	}
	h := &Running{Log: log, close: done}
	defer func() {
		if err != nil {
			h.Close()
		}
	}()
	if p.Adjust != nil {
		if err := p.Adjust(&cfg); err != nil {
			return nil, err
		}
	}
	h.Browser = handlers.NewBrowser(cfg, o.Program.Parts()...)
	rules := provider.TableOptions{Timeout: time.Duration(o.timeout * float64(time.Second)), Hidden: hidden,
		Boundaries: o.Guard.boundaries,
		Foreign:    p.Profile != nil && o.Program.isForeign(*p.Profile)}
	if o.Guard.Secrets != nil {
		rules.Secrets = o.Guard.Secrets
	}
	if p.Pool != nil {
		p.Pool.Log = log
		h.Pool = handlers.NewPool(h.Browser, *p.Pool, o.Program.Parts()...)
		rules.Sessions = h.Pool
		rules.Files = handlers.NewShelf(p.Pool.Name)
	}
	h.Table = provider.NewTable(tools, rules)
	h.Table.OnCall(Observer(log, h.Table))
	if err := h.follow(o.Program); err != nil {
		return nil, err
	}
	if begin, end := h.Table.Boundaries(); begin != "" {
		fmt.Fprintf(os.Stderr, "pwpipe: what pages say stands between %s and %s\n", begin, end)
	}
	if p.Profile == nil {
		return h, nil
	}
	return h, h.list(p.Profile, len(o.tools) > 0)
}

// begin prepares a session, and has it begin with the state that was asked for.
func (o *Options) begin(s *handlers.Session) error {
	if o.Prepare != nil {
		if err := o.Prepare(s); err != nil {
			return err
		}
	}
	return o.states().begin(s, state.States.Of(o.Config))
}

// follow lets features follow the calls.
func (h *Running) follow(p *Program) error {
	for _, f := range p.Features {
		if f.Follow == nil {
			continue
		}
		stop, err := f.Follow(h.Log, h.Table, p.Version)
		if err != nil {
			return err
		}
		before := h.close
		h.close = func() {
			before()
			stop()
		}
	}
	return nil
}

// list prepares the browser for the profiles that MCP lists. If tools were chosen and no
// profiles, MCP lists the chosen tools of all profiles.
func (h *Running) list(listed *string, chosen bool) error {
	if chosen && *listed == provider.DefaultProfile {
		*listed = "all"
	}
	profiles := *listed
	if err := checkProfile(h.Table, profiles); err != nil {
		return err
	}
	cfg := &h.Browser.Config
	// The process of scripts is started with a session's first page.
	cfg.Scripts.Early = slices.ContainsFunc(h.Table.Profile(profiles),
		func(t *provider.Tool) bool { return t.Name == "execute" })
	if cfg.ActOutline == "auto" && slices.Contains(strings.Split(profiles, ","), "agent") {
		cfg.ActOutline = "diff"
	}
	return nil
}

// End closes all sessions and the browser, within a time.
func (h *Running) End(limit time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	if h.Pool != nil {
		h.Pool.Shutdown(ctx)
	}
	h.Browser.Close(ctx)
}

// logger writes structured lines to stderr, with secrets masked. In JSON times are as people
// write them.
func (o *Options) logger(inJSON bool) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(o.logLevel)); err != nil {
		return nil, checkValue("log-level", o.logLevel, logLevels)
	}
	if err := o.Guard.readSecrets(o.flags); err != nil {
		return nil, err
	}
	out, form := o.Guard.Secrets.Writer(thin.ForTerminal(os.Stderr)), &slog.HandlerOptions{Level: level}
	if !inJSON {
		return slog.New(slog.NewTextHandler(out, form)), nil
	}
	form.ReplaceAttr = func(_ []string, a slog.Attr) slog.Attr {
		if a.Value.Kind() == slog.KindDuration { // JSON has nanoseconds otherwise
			a.Value = slog.StringValue(a.Value.Duration().Round(time.Microsecond).String())
		}
		return a
	}
	return slog.New(slog.NewJSONHandler(out, form)), nil
}

// HideError masks the secrets in an error that ends a command.
func (o *GuardOptions) HideError(err error) error {
	var status ExitStatus
	if err == nil || o.Secrets == nil || errors.As(err, &status) {
		return err
	}
	if masked := o.Secrets.Mask(err.Error()); masked != err.Error() {
		return errors.New(masked)
	}
	return err
}
