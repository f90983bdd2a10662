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
	"pwpipe/handlers/playwrightmcp"
	"pwpipe/internal/shell/thin"
	"pwpipe/provider"
)

// house is what every command that drives a browser works with: the tools, the
// browser behind them, and the guard around both.
type house struct {
	log     *slog.Logger
	table   *provider.Table
	browser *handlers.Browser
	pool    *handlers.Pool // of sessions that requests name, nil for none
	close   func()         // closes the sample site; not the browser
}

// plan is in what the commands' houses differ.
type plan struct {
	logJSON bool                         // as services do; else lines of text
	adjust  func(*handlers.Config) error // has the last word on the configuration; nil: none
	pool    *handlers.PoolOptions        // nil: requests name no sessions
	// profile is what MCP was asked to list, and becomes what it lists; nil:
	// nobody speaks it.
	profile *string
}

// open puts the house together. It is the only place that does: a command that
// made its own table would forget the guard.
func (o *options) open(p plan) (_ *house, err error) {
	log, err := o.logger(p.logJSON)
	if err != nil {
		return nil, err
	}
	tools := o.program.Tools()
	hidden, err := o.hidden(tools)
	if err != nil {
		return nil, err
	}
	cfg, done, err := o.config(log)
	if err != nil {
		return nil, err
	}
	h := &house{log: log, close: done}
	defer func() {
		if err != nil {
			h.close()
		}
	}()
	if p.adjust != nil {
		if err := p.adjust(&cfg); err != nil {
			return nil, err
		}
	}
	h.browser = handlers.NewBrowser(cfg, o.program.parts()...)
	rules := provider.TableOptions{Timeout: time.Duration(o.timeout * float64(time.Second)), Hidden: hidden,
		Boundaries: o.guard.boundaries,
		Foreign:    p.profile != nil && strings.HasPrefix(*p.profile, playwrightmcp.Profile)}
	if o.guard.secrets != nil {
		rules.Secrets = o.guard.secrets
	}
	if p.pool != nil {
		p.pool.Log = log
		h.pool = handlers.NewPool(h.browser, *p.pool, o.program.parts()...)
		rules.Sessions = h.pool
		rules.Files = handlers.NewShelf(p.pool.Name)
	}
	h.table = provider.NewTable(tools, rules)
	h.table.OnCall(observer(log, h.table))
	if err := h.follow(o.program); err != nil {
		return nil, err
	}
	if begin, end := h.table.Boundaries(); begin != "" {
		fmt.Fprintf(os.Stderr, "pwpipe: what pages say stands between %s and %s\n", begin, end)
	}
	if p.profile == nil {
		return h, nil
	}
	return h, h.list(p.profile, len(o.tools) > 0)
}

// follow lets features follow the calls.
func (h *house) follow(p *Program) error {
	for _, f := range p.Features {
		if f.Follow == nil {
			continue
		}
		stop, err := f.Follow(h.log, h.table, p.Version)
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
func (h *house) list(listed *string, chosen bool) error {
	if chosen && *listed == provider.DefaultProfile {
		*listed = "all"
	}
	profiles := *listed
	if err := checkProfile(h.table, profiles); err != nil {
		return err
	}
	cfg := &h.browser.Config
	// The process of scripts is started with a session's first page.
	cfg.Scripts.Early = slices.ContainsFunc(h.table.Profile(profiles),
		func(t *provider.Tool) bool { return t.Name == "execute" })
	if cfg.ActOutline == "auto" && slices.Contains(strings.Split(profiles, ","), "agent") {
		cfg.ActOutline = "diff"
	}
	return nil
}

// end closes all sessions and the browser, within a time.
func (h *house) end(limit time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	if h.pool != nil {
		h.pool.Shutdown(ctx)
	}
	h.browser.Close(ctx)
}

// logger writes structured lines to stderr, with secrets masked. In JSON times are as people
// write them.
func (o *options) logger(inJSON bool) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(o.logLevel)); err != nil {
		return nil, checkValue("log-level", o.logLevel, logLevels)
	}
	if err := o.guard.readSecrets(o.flags); err != nil {
		return nil, err
	}
	out, form := o.guard.secrets.Writer(thin.ForTerminal(os.Stderr)), &slog.HandlerOptions{Level: level}
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
