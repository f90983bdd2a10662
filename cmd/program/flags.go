package program

import (
	"context"
	"encoding/json"
	"net"
	"slices"

	"github.com/spf13/pflag"

	"pwpipe/handlers"
	"pwpipe/handlers/browser"
	"pwpipe/internal/text/secrets"
	"pwpipe/provider/service"
)

// The commands that a feature's flags may be for, as [Feature] is asked. Others have the name
// that they are called by.
const (
	OfPipe    = ofPipe
	OfServe   = ofServe
	OfService = "service" // of shell commands
)

// Flags are the flags of a feature, in one command. They may do more: [Secretive], [OnPipe],
// [OnService].
type Flags interface {
	// Register adds them to the command. cfg has what the command's own flags say.
	Register(f *pflag.FlagSet, cfg *handlers.Config)
	// Into checks them, and gives a browser's configuration what they say.
	Into(*Setup) error
}

// Setup is a browser's configuration while flags are read.
type Setup struct {
	*handlers.Config
	Secrets *secrets.Store // nil for none
	// Controls are files and folders that steer this process or the next. No client reaches them.
	Controls []string
	// Private are files that may not lie where tools read, by the flag that named them.
	Private map[string][]string
}

// Secretive flags name secrets, which are read before anything is logged. store makes the
// store where there is none.
type Secretive interface {
	ReadSecrets(store func() *secrets.Store) error
}

// Certificates are client certificates that a configuration of Playwright MCP lists: JSON, nil
// for none.
var Certificates browser.Setting[json.RawMessage]

// OnPipe is for flags that do something while a pipe is served.
type OnPipe interface {
	Pipe(ctx context.Context, r *Running, own *handlers.Session) (_ context.Context, end func(), err error)
}

// OnService is for flags that do something while HTTP is served. base is where people reach it.
type OnService interface {
	Service(ctx context.Context, r *Running, s *service.Service, l net.Listener, base string) context.Context
}

// OnShell is for flags that do something while shell commands are served.
type OnShell interface {
	Shell(ctx context.Context, r *Running, s *service.Shell) context.Context
}

// registerFeatures adds the flags of the features to a command.
func (o *Options) registerFeatures(command string, f *pflag.FlagSet) {
	for _, feature := range o.Program.Features {
		if feature.Flags != nil {
			flags := feature.Flags(command)
			flags.Register(f, &o.Config)
			o.flags = append(o.flags, flags)
		}
	}
}

// featuresInto gives a configuration what the flags of the features say, and keeps the files that
// steer pwpipe.
func (o *Options) featuresInto(cfg *handlers.Config) error {
	o.setup = Setup{Config: cfg, Secrets: o.Guard.Secrets, Private: map[string][]string{}}
	for _, flags := range o.flags {
		if err := flags.Into(&o.setup); err != nil {
			return err
		}
	}
	return nil
}

// IsSource reports whether --cdp takes a text as a name.
func (p *Program) IsSource(text string) bool {
	for _, f := range p.Features {
		if f.IsSource != nil && f.IsSource(text) {
			return true
		}
	}
	return false
}

// sources are the names that --cdp takes.
func (p *Program) sources() (names []string) {
	for _, f := range p.Features {
		names = append(names, f.Sources...)
	}
	return names
}

// onPipe calls what is [OnPipe]. end may be called whatever the error.
func (o *Options) onPipe(
	ctx context.Context, r *Running, own *handlers.Session,
) (_ context.Context, end func(), err error) {
	var ends []func()
	end = func() {
		for _, end := range slices.Backward(ends) {
			end()
		}
	}
	for _, f := range o.flags {
		if on, ok := f.(OnPipe); ok {
			var last func()
			if ctx, last, err = on.Pipe(ctx, r, own); err != nil {
				return nil, end, err
			}
			ends = append(ends, last)
		}
	}
	return ctx, end, nil
}

// onService calls what is [OnService].
func (o *Options) onService(
	ctx context.Context, r *Running, s *service.Service, l net.Listener, base string,
) context.Context {
	for _, f := range o.flags {
		if on, ok := f.(OnService); ok {
			ctx = on.Service(ctx, r, s, l, base)
		}
	}
	return ctx
}

// OnShell calls what is [OnShell].
func (o *Options) OnShell(ctx context.Context, r *Running, s *service.Shell) context.Context {
	for _, f := range o.flags {
		if on, ok := f.(OnShell); ok {
			ctx = on.Shell(ctx, r, s)
		}
	}
	return ctx
}
