package handlers

import (
	"pwpipe/handlers/artifacts"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/files"
	"pwpipe/handlers/launch"
	"pwpipe/handlers/pool"
	"pwpipe/handlers/refs"
	"pwpipe/handlers/repair"
	"pwpipe/handlers/state"
	"pwpipe/handlers/tool"
	"pwpipe/internal/browser/contextoptions"
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
	KeptFile       = state.KeptFile
	Line           = tool.Line
	Repair         = repair.Repair
	Repaired       = repair.Repaired
)

// Who gets the open tabs of an attached browser: see [browser.Tabs].
const (
	TabsIfFree = browser.TabsIfFree
	TabsNever  = browser.TabsNever
	TabsMust   = browser.TabsMust
)

// UnlimitedFrames is of [Config]'s FrameRate.
const UnlimitedFrames = launch.UnlimitedFrames

// What a program calls, from the packages where it lives.
var (
	WithSession = browser.WithSession // binds the tools called under a context to a session
	SessionOf   = browser.SessionOf   // is that session
	WithPool    = pool.WithPool       // lets the tools called under a context open and close sessions
	WithRepair  = repair.With         // has the call under a context repaired
	NewShelf    = artifacts.New       // keeps what tools write for clients that read it over MCP

	LimitFiles   = files.LimitFiles   // says which folders tools may touch
	AllowFolder  = files.AllowFolder  // lets tools touch one more folder
	CloseFolder  = files.CloseFolder  // keeps tools out of a folder of results
	CloseControl = files.CloseControl // keeps every client out of files and folders that steer pwpipe
	KeepPrivate  = files.KeepPrivate  // keeps a file out of the folders that tools may touch

	BeginWith   = state.Begin    // has a session begin with a state of a store
	ImportState = state.Import   // saves a state of another program under a name of a store
	ListKept    = state.ListKept // lists the states of sessions that are kept in the folders of a base folder
)

// DriverSelector is a selector in the driver's form, a part an element: [refs.Driver].
func DriverSelector(sel string) ([]string, error) {
	made, err := refs.Driver(sel)
	return refs.SplitSelector(made), err
}
