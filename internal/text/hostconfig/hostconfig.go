// Package hostconfig adds an MCP server to the configuration of a host, in JSON with
// comments or in TOML. Every byte of the configuration stays, and the addition comes between
// them. A configuration that can't be read is an error.
package hostconfig

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Form says how a host writes its servers.
type Form struct {
	Section string // the table of servers, such as mcpServers
	Typed   bool   // an entry says "type": "stdio"
	TOML    bool
}

// Server is an entry of a configuration.
type Server struct {
	Name, Command string
	Args          []string
}

// Result is a configuration with a server in it.
type Result struct {
	Text  []byte
	Entry string   // as it is in the text, or would be
	There bool     // the server was there before: the text stays as it was
	Peers []string // names of the entries that start another program for browsers
}

// Add puts a server into a configuration. An entry of the same name that starts something else
// stays, and is an error.
func (f Form) Add(text []byte, s Server) (Result, error) {
	rest := bytes.TrimPrefix(text, []byte("\ufeff"))
	bom, text := text[:len(text)-len(rest)], rest
	if len(bytes.TrimSpace(text)) == 0 && !f.TOML {
		text = []byte("{}\n")
	}
	r := Result{Text: text, Entry: f.entry(s)}
	before, err := f.read(text)
	if err != nil {
		return r, err
	}
	servers, err := f.servers(before)
	if err != nil {
		return r, err
	}
	r.Peers = peers(servers)
	if other, ok := servers[s.Name]; ok {
		if r.There = s.is(other); !r.There {
			return r, fmt.Errorf("it has another server %q: remove that, or give this one another name with --name", s.Name)
		}
		r.Text = slices.Concat(bom, text)
		return r, nil
	}
	added, err := f.add(text, s)
	if err != nil {
		return r, err
	}
	if err := f.onlyAdded(before, added, s); err != nil {
		return r, fmt.Errorf("%w; add this yourself:\n%s", err, r.Entry)
	}
	r.Text = slices.Concat(bom, added)
	return r, nil
}

// entry returns a configuration with the server alone.
func (f Form) entry(s Server) string {
	if f.TOML {
		return tomlEntry(f.Section, s)
	}
	style := style{newline: "\n", unit: "  "}
	servers := style.object("  ", style.member(s.Name, f.members(s, style, "    ")))
	return "{\n  " + style.member(f.Section, servers) + "\n}\n"
}

func (f Form) read(text []byte) (map[string]any, error) {
	if f.TOML {
		return readTOML(text)
	}
	return readJSON(text)
}

func (f Form) add(text []byte, s Server) ([]byte, error) {
	if f.TOML {
		return addTOML(text, f.Section, s), nil
	}
	return f.addJSON(text, s)
}

func (f Form) servers(config map[string]any) (map[string]any, error) {
	section, there := config[f.Section]
	servers, ok := section.(map[string]any)
	if there && !ok {
		return nil, fmt.Errorf("its %q is no table of servers", f.Section)
	}
	return servers, nil
}

// is reports whether an entry starts the server. Other members of the entry are up to the user.
func (s Server) is(entry any) bool {
	command, args := starts(entry)
	return command == s.Command && slices.Equal(args, s.Args)
}

func starts(entry any) (command string, args []string) {
	fields, _ := entry.(map[string]any)
	command, _ = fields["command"].(string)
	list, _ := fields["args"].([]any)
	for _, a := range list {
		word, _ := a.(string)
		args = append(args, word)
	}
	return command, args
}

// programs lists other programs whose servers drive browsers.
var programs = []string{"@playwright/mcp", "chrome-devtools-mcp", "agent-browser", "playwriter"}

// peers returns the names of the entries that start one of programs.
func peers(servers map[string]any) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(servers)) {
		command, args := starts(servers[name])
		words := strings.Join(append(args, command), " ")
		if slices.ContainsFunc(programs, func(p string) bool { return strings.Contains(words, p) }) {
			names = append(names, name)
		}
	}
	return names
}

// onlyAdded returns an error unless the new text has the server, and else says the same as the
// old one.
func (f Form) onlyAdded(before map[string]any, added []byte, s Server) error {
	after, err := f.read(added)
	if err != nil {
		return fmt.Errorf("it can't take another server as it is written: %w", err)
	}
	servers, err := f.servers(after)
	if err != nil {
		return err
	}
	if !s.is(servers[s.Name]) {
		return errors.New("it would not have the server")
	}
	delete(servers, s.Name)
	if _, had := before[f.Section]; !had && len(servers) == 0 {
		delete(after, f.Section)
	}
	if !reflect.DeepEqual(before, after) {
		return errors.New("it would say something else than before")
	}
	return nil
}
