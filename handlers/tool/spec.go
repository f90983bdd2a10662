package tool

import (
	"time"

	"pwpipe/provider"
)

// Profile is a set of tools that is listed together: a label on declarations.
type Profile struct {
	Name    string
	Timeout time.Duration // of its tools, unless they say otherwise
	Unit    time.Duration // of a timeout that is given with a call; 0: a second
}

// The profiles that tools of more than one topic are in.
var (
	Core     = Profile{Name: "core", Timeout: 10 * time.Second}                        // seed 002's
	RPC      = Profile{Name: "rpc", Timeout: 15 * time.Second, Unit: time.Millisecond} // seed 000's
	MCP      = Profile{Name: "mcp", Timeout: 10 * time.Second}                         // seed 001's
	Reach    = Profile{Name: "reach", Timeout: 10 * time.Second}                       // short names for what that adds
	Agent    = Profile{Name: "agent", Timeout: 30 * time.Second}                       // seed 003's
	Session  = Profile{Name: "session", Timeout: time.Hour}                            // seed 004's
	Act      = Profile{Name: "act", Timeout: 10 * time.Second}
	Batch    = Profile{Name: "batch", Timeout: 2 * time.Minute}
	Check    = Profile{Name: "check", Timeout: 5 * time.Second}
	DevTools = Profile{Name: "devtools", Timeout: 10 * time.Second}
	Emulate  = Profile{Name: "emulate", Timeout: 5 * time.Second}
	Events   = Profile{Name: "events", Timeout: 5 * time.Second}
	Help     = Profile{Name: "help", Timeout: 5 * time.Second}
	Net      = Profile{Name: "net", Timeout: 5 * time.Second}
	Read     = Profile{Name: "read", Timeout: 5 * time.Second}
	Record   = Profile{Name: "record", Timeout: 10 * time.Second}
	State    = Profile{Name: "state", Timeout: 5 * time.Second}
)

// Spec declares a tool: [provider.Spec], made by a [Profile].
type Spec provider.Spec

func (p Profile) spec(name, title, doc string, effect provider.Effect) Spec {
	return Spec{Name: name, Title: title, Doc: doc, Profile: p.Name, Timeout: p.Timeout, TimeoutUnit: p.Unit, Effect: effect}
}

// Acts declares a tool that changes the page or the browser.
func (p Profile) Acts(name, title, doc string) Spec { return p.spec(name, title, doc, provider.Acts) }

// Reads declares a tool that only reads.
func (p Profile) Reads(name, title, doc string) Spec { return p.spec(name, title, doc, provider.Reads) }

// Waits declares a tool that only reads, but what follows is meant to come
// after it.
func (p Profile) Waits(name, title, doc string) Spec { return p.spec(name, title, doc, provider.Waits) }

// Destroys declares a tool that takes something away that can't be got back.
func (p Profile) Destroys(name, title, doc string) Spec {
	return p.spec(name, title, doc, provider.Destroys)
}

// Switches declares a tool that opens, closes or chooses pages.
func (p Profile) Switches(name, title, doc string) Spec {
	return p.spec(name, title, doc, provider.Switches)
}

// Within is the tool with another deadline than its profile's.
func (s Spec) Within(d time.Duration) Spec {
	s.Timeout = d
	return s
}

// OwnAnswers is a tool on a page whose answers no page has a part in: paths
// that it was told to write to, handles, selectors of the caller's words. Its
// errors may quote the page.
func (s Spec) OwnAnswers() Spec {
	s.Words = provider.OwnAnswers
	return s
}

// OwnWords is a tool that says nothing that a page worded, in errors neither.
func (s Spec) OwnWords() Spec {
	s.Words = provider.OwnWords
	return s
}

// Direct is a tool that asks the page by [Call.Direct], so that neighbours ask in
// the order of their requests.
func (s Spec) Direct() Spec {
	s.TakesTurns = true
	return s
}

// NotLogged is a tool that a log leaves out: a replay would write over the
// script that it reads, or has nobody to send events to.
func (s Spec) NotLogged() Spec {
	s.Unlogged = true
	return s
}

// Scripting is a tool that --no-execute leaves out. A script can debug the page,
// so it goes on where that is paused.
func (s Spec) Scripting() Spec {
	s.Scripts, s.WhilePaused = true, true
	return s
}

// Closes is a tool that closes the page whose handle a parameter has.
func (s Spec) Closes(param string) Spec {
	s.Target = param
	return s
}

// NoSession is a tool that works on no session.
func (s Spec) NoSession() Spec {
	s.Sessionless = true
	return s
}

// Second declares a second name of a tool, for [Alias]: its effect is that tool's.
func (p Profile) Second(name, title, doc string) Spec { return p.spec(name, title, doc, 0) }

// Alias declares a tool that does what another does: see [provider.Alias].
func Alias(s Spec, of string, answer *provider.Shape, params ...provider.As) *provider.Tool {
	return provider.AliasOf(provider.Spec(s), provider.Alias{Of: of, Params: params, Answer: answer})
}

// As is a parameter of a tool under another name.
func As(param, name string) provider.As { return provider.As{Param: param, Name: name} }
