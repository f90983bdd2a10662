package provider

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"pwpipe/internal/text/secrets"
	"pwpipe/internal/text/suggest"
)

// Table is the ordered set of tools. Every surface calls tools through it.
type Table struct {
	tools   []*Tool
	byName  map[string]*Tool
	parts   map[string]*Tool // hidden tools, for tools that use them
	options TableOptions
	seen    []Observer
	cuts    cuts

	boundary string       // the marker around page texts, "" for none
	marker   *secrets.Set // finds it in page texts, nil for none
}

// TableOptions are the options of a table.
type TableOptions struct {
	// Timeout replaces every tool's default deadline; 0 keeps them.
	Timeout time.Duration
	// Hidden reports whether a tool does not exist for clients, however they call it;
	// nil: none is hidden. Tools that use a hidden tool still work.
	Hidden func(*Tool) bool
	// Sessions finds the session of a request that names one; nil if there are none.
	Sessions Sessions
	// Files offers to MCP clients the files that tools wrote; nil: not offered.
	Files Files
	// Secrets, if set, are named in requests and masked in replies.
	Secrets Secrets
	// Boundaries puts every page text between two markers that nobody outside can
	// guess.
	Boundaries bool
}

// Observer sees each finished call, for logs and metrics. It must not block.
type Observer func(ctx context.Context, r Request, took time.Duration, err *Error)

// NewTable makes a table. It panics if two tools have the same name: the declarations
// are wrong.
func NewTable(tools []*Tool, o TableOptions) *Table {
	t := &Table{byName: map[string]*Tool{}, parts: map[string]*Tool{}, options: o}
	for _, tool := range tools {
		if t.byName[tool.Name] != nil || t.parts[tool.Name] != nil {
			panic("provider: two tools named " + tool.Name)
		}
		if tool.run == nil {
			panic("provider: " + tool.Name + " is not linked to " + tool.Alias.Of)
		}
		if o.Hidden != nil && o.Hidden(tool) {
			t.parts[tool.Name] = tool
			continue
		}
		t.byName[tool.Name] = tool
		t.tools = append(t.tools, tool)
	}
	if o.Boundaries {
		t.bounded()
	}
	return t
}

// OnCall adds an observer of finished calls. It must be called before the first call.
func (t *Table) OnCall(see Observer) { t.seen = append(t.seen, see) }

// Sessions are the sessions that clients name in requests, nil if there are none.
func (t *Table) Sessions() Sessions { return t.options.Sessions }

// CheckNames refuses a name that no tool in the list has.
func CheckNames(tools []*Tool, names []string) error {
	t := NewTable(tools, TableOptions{})
	for _, name := range names {
		if t.byName[name] != nil {
			continue
		}
		if meant := t.Meant(name); meant != "" {
			return fmt.Errorf("no tool %q; %s", name, meant)
		}
		return fmt.Errorf("no tool %q; `pwpipe tools` lists them", name)
	}
	return nil
}

// find is the tool of a request, nil if there is none.
func (t *Table) find(r Request) *Tool {
	if tool := t.byName[r.Tool]; tool != nil || !r.part {
		return tool
	}
	return t.parts[r.Tool]
}

// Find returns the tool of that name, nil if there is none.
func (t *Table) Find(name string) *Tool { return t.byName[name] }

// Profile returns the tools of a profile, or of several profiles separated by commas,
// in the order of declaration; "all" returns all tools.
func (t *Table) Profile(names string) []*Tool {
	profiles := splitProfiles(names)
	all := slices.Contains(profiles, "all")
	var list []*Tool
	for _, tool := range t.tools {
		if all || tool.listedIn(profiles) {
			list = append(list, tool)
		}
	}
	return list
}

// CheckProfile refuses a comma-separated list of profiles if one of them has no tools.
func (t *Table) CheckProfile(names string) error {
	known := append(t.Profiles(), "all")
	for _, name := range splitProfiles(names) {
		if slices.Contains(known, name) {
			continue
		}
		hint := suggest.Hint(name, known)
		if hint != "" {
			hint += " "
		}
		return fmt.Errorf("no profile %q; %sthere are %s; several are separated by commas", name, hint, strings.Join(known, ", "))
	}
	return nil
}

func splitProfiles(names string) []string {
	list := strings.Split(names, ",")
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}

// unknown is the error for an unknown method. Its text is part of the wire's contract;
// the hint suggests names.
func (t *Table) unknown(method string) *Error {
	return &Error{Kind: KindUnknown, Msg: "unknown method: " + method, Hint: t.Meant(method)}
}

// Meant says which tools a name that no tool has may mean: those that do what
// another program calls so, else the nearest names, else "".
func (t *Table) Meant(name string) string {
	var ours []string
	for _, known := range suggest.Ours(name) {
		if tool := t.byName[known]; tool != nil {
			ours = append(ours, tool.signature())
		}
	}
	if n := len(ours) - 1; n == 0 {
		return "here it is " + ours[0]
	} else if n > 0 {
		return "here it is " + strings.Join(ours[:n], ", ") + " or " + ours[n]
	}
	names := make([]string, 0, len(t.tools))
	for _, tool := range t.tools {
		names = append(names, tool.Name)
	}
	return suggest.Hint(name, names)
}

// Profiles names the profiles in the order of declaration.
func (t *Table) Profiles() []string {
	var names []string
	for _, tool := range t.tools {
		if !slices.Contains(names, tool.Profile) {
			names = append(names, tool.Profile)
		}
	}
	return names
}
