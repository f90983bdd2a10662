package handlers

import (
	"context"

	"pwpipe/handlers/artifacts"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/files"
	"pwpipe/handlers/launch"
	"pwpipe/handlers/pool"
	"pwpipe/handlers/refs"
	"pwpipe/handlers/tool"
	"pwpipe/internal/browser/contextoptions"
	"pwpipe/internal/browser/lend"
	"pwpipe/provider"
)

// What a program needs to run the tools, from the packages where it lives.
type (
	Config         = browser.Config
	StartOptions   = launch.StartOptions
	Browser        = browser.Browser
	Session        = browser.Session
	SessionOptions = browser.SessionOptions
	Tabs           = browser.Tabs
	Pool           = pool.Pool
	PoolOptions    = pool.Options
	Browsers       = pool.Browsers
	Drivers        = launch.Drivers
	ContextOptions = contextoptions.Options
	Line           = tool.Line
	Repair         = tool.Repair
	Repaired       = tool.Repaired
)

// Who gets the open tabs of an attached browser: see [browser.Tabs].
const (
	TabsIfFree = browser.TabsIfFree
	TabsNever  = browser.TabsNever
	TabsMust   = browser.TabsMust
)

// UnlimitedFrames is of [Config]'s FrameRate.
const UnlimitedFrames = launch.UnlimitedFrames

// LenderOf lends tabs of the browser that a configuration names as a person's, nil for
// another.
func LenderOf(cfg Config) *lend.Client { return launch.LenderOf(cfg.CDP, cfg.Log) }

// WithSession binds the tools called under ctx to a session.
func WithSession(ctx context.Context, s *Session) context.Context { return browser.WithSession(ctx, s) }

// WithPool lets the tools called under ctx open and close sessions.
func WithPool(ctx context.Context, p *Pool) context.Context { return pool.WithPool(ctx, p) }

// WithRepair has the call under ctx repaired: [tool.WithRepair].
func WithRepair(ctx context.Context, r *Repair) context.Context { return tool.WithRepair(ctx, r) }

// LimitFiles says which folders tools may touch: [files.LimitFiles].
func LimitFiles(dirs []string, output string) error { return files.LimitFiles(dirs, output) }

// AllowFolder lets tools touch one more folder: [files.AllowFolder].
func AllowFolder(dir string) error { return files.AllowFolder(dir) }

// KeepPrivate keeps a file out of the folders that tools may touch: [files.KeepPrivate].
func KeepPrivate(path string) error { return files.KeepPrivate(path) }

// NewShelf keeps what tools write for clients that read it over MCP, in a service of
// that name ("" for none).
func NewShelf(service string) provider.Files { return artifacts.New(service) }

// CloseFolder keeps tools out of a folder, wherever it is.
func CloseFolder(dir string) error { return files.CloseFolder(dir) }

// DriverSelector is a selector in the driver's form, a part an element: [refs.Driver].
func DriverSelector(sel string) ([]string, error) {
	made, err := refs.Driver(sel)
	return refs.SplitSelector(made), err
}
