package playwrightmcp

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"pwpipe/cmd/program"
	"pwpipe/features/playwrightmcp/mcptools"
	"pwpipe/internal/machine/setup"
)

// peerFlag is a setting of Playwright MCP: as a flag, a variable, and a member of the file.
type peerFlag struct {
	name  string   // "" for no flag
	kind  string   // bool, text, or list, which may be given several times
	split string   // separates the members of a list that is given as one text
	env   string   // the variable, "" for PLAYWRIGHT_MCP_ and the name
	file  []string // its paths in the configuration file, with dots between members
	help  string
	paths bool // in the file its values are relative to the file's folder
	// One of these is set.
	set    func(s *mcpServer, v []string) error
	note   string // why it has no meaning here; it is accepted
	refuse string // why it is refused
}

// peerValues holds the values of the given flags, by name.
type peerValues map[string][]string

func (f peerFlag) register(flags *pflag.FlagSet, to peerValues) {
	v := &peerValue{flag: f, to: to}
	own := flags.VarPF(v, f.name, "", f.help)
	own.Hidden = f.refuse != "" || f.note != "" // the help shows flags with an effect
	if f.kind == "bool" {
		own.NoOptDefVal = "true"
	}
}

// peerValue is a flag's value: [pflag.Value].
type peerValue struct {
	flag peerFlag
	to   peerValues
}

func (v *peerValue) String() string { return "" }
func (v *peerValue) Type() string {
	if v.flag.kind == "bool" {
		return "bool"
	}
	return "string"
}

func (v *peerValue) Set(s string) error {
	if v.flag.kind == "bool" && s != "true" && s != "false" {
		return fmt.Errorf("expected true or false, got %q", s)
	}
	if v.flag.kind != "list" {
		v.to[v.flag.name] = nil
	}
	v.to[v.flag.name] = append(v.to[v.flag.name], v.flag.members(s)...)
	return nil
}

// RefusedFlag returns the reason why a given flag is refused, nil if none is.
func RefusedFlag(flags *pflag.FlagSet) (err error) {
	flags.Visit(func(f *pflag.Flag) {
		if v, ok := f.Value.(*peerValue); ok && v.flag.refuse != "" && err == nil {
			err = fmt.Errorf("--%s: %s", f.Name, v.flag.refuse)
		}
	})
	return err
}

// members splits a list that is given as one text.
func (f peerFlag) members(s string) []string {
	if f.kind != "list" || f.split == "" {
		return []string{s}
	}
	var list []string
	for _, m := range strings.Split(s, f.split) {
		if m = strings.TrimSpace(m); m != "" {
			list = append(list, m)
		}
	}
	return list
}

// variable returns the name of the flag's environment variable, "" for none.
func (f peerFlag) variable() string {
	if f.env != "" || f.name == "" {
		return f.env
	}
	return "PLAYWRIGHT_MCP_" + strings.ToUpper(strings.ReplaceAll(f.name, "-", "_"))
}

func (given peerValues) apply(s *mcpServer) (err error) {
	path := given["config"]
	if v := os.Getenv("PLAYWRIGHT_MCP_CONFIG"); path == nil && v != "" {
		path = []string{v}
	}
	file := peerFile{}
	if len(path) > 0 {
		if file, err = readPeerFile(path[0]); err != nil {
			return err
		}
		s.Controls = append(s.Controls, path[0])
	}
	shown := shownConfig{}
	for _, f := range peerSettings {
		v, from, err := given.value(f, file)
		if f.paths && len(v) > 0 && strings.HasSuffix(from, ofFile) {
			v = beside(path[0], v)
		}
		if err == nil && v != nil {
			shown.flag(f, v)
			err = s.take(f, v, from)
		}
		if err != nil {
			return err
		}
	}
	shown.contextOptions(file)
	for _, take := range []func(peerFile) error{s.keepSecrets, s.recordVideo, s.contextOptions, s.proxyLogin} {
		if err := take(file); err != nil {
			return err
		}
	}
	if list, ok := file.pop("browser.contextOptions.clientCertificates"); ok { // the flag wins
		program.Certificates.Set(&s.Config, list)
	}
	for _, key := range slices.Sorted(maps.Keys(file)) {
		s.notes = append(s.notes, fmt.Sprintf("%s: %s has no meaning here", path[0], key))
	}
	if err := s.settle(); err != nil {
		return err
	}
	s.peer.Config = shown.settled(s)
	s.Controls = append(append(s.Controls, s.peer.InitPages...), s.peer.Contexts.State)
	return nil
}

// value returns the given value of a flag, nil for none, and where it comes from.
func (given peerValues) value(f peerFlag, file peerFile) (v []string, from string, err error) {
	inFile, err := file.take(f)
	if err != nil {
		return nil, "", err
	}
	if v := given[f.name]; v != nil {
		return v, "--" + f.name, nil
	}
	if text := strings.TrimSpace(os.Getenv(f.variable())); text != "" && f.variable() != "" {
		if f.kind == "bool" {
			switch text {
			case "1":
				text = "true"
			case "0":
				text = "false"
			case "true", "false":
			default: // Playwright MCP ignores other values too
				return inFile, f.name, nil
			}
		}
		return f.members(text), f.variable(), nil
	}
	if f.name == "" && len(f.file) > 0 {
		return inFile, f.file[0] + ofFile, nil
	}
	return inFile, f.name + ofFile, nil
}

// ofFile ends the name of a setting that comes from the file.
const ofFile = " of the file"

func beside(file string, paths []string) (all []string) {
	for _, path := range paths {
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(file), path)
		}
		all = append(all, path)
	}
	return all
}

func (s *mcpServer) take(f peerFlag, v []string, from string) error {
	off := f.kind == "bool" && v[0] == "false"
	switch {
	case f.refuse != "" && !off:
		return fmt.Errorf("%s: %s", from, f.refuse)
	case f.note != "" && !off:
		s.notes = append(s.notes, from+": "+f.note)
	case f.set != nil:
		if err := f.set(s, v); err != nil {
			return fmt.Errorf("%s: %w", from, err)
		}
	}
	return nil
}

// sharedSession reports whether all clients of --port have one session: if that is asked for, and
// in a browser that was attached to, whose tabs one session has. Each session has tabs of its own
// where a person lends them.
func (s *mcpServer) sharedSession() bool {
	attached := s.CDP != "" && (s.CDP == ofExtension || !s.Program.IsSource(s.CDP))
	return s.port != "" && !s.peer.Contexts.Isolated && (s.peer.Shared || attached)
}

func (s *mcpServer) settle() error {
	if s.headless != "" || !s.Headed {
		s.Headed = s.headless == "false" || s.headless == "" && !setup.NoDisplay()
	}
	if !s.Guard.AllowFile && s.Guard.AllowDirs == nil {
		s.Guard.AllowDirs = workspace()
	}
	if s.port == "" && (s.host != "" || s.hosts != nil) {
		s.notes = append(s.notes, "--host, --allowed-hosts: nothing listens without --port")
	}
	if s.peer.Shared && s.port == "" {
		s.notes = append(s.notes, "--shared-browser-context: there is one client without --port")
	} else if s.peer.Shared && s.peer.Contexts.Isolated {
		s.notes = append(s.notes, "--shared-browser-context: --isolated gives each client a context of its own")
	}
	s.peer.Shared = s.sharedSession()
	if len(s.peer.InitPages) > 0 && s.NoExecute {
		return fmt.Errorf("--init-page: it runs code, which --no-execute forbids")
	}
	if language := os.Getenv("PW_LANG_NAME"); s.peer.Code == "" && slices.Contains(mcptools.Languages, language) {
		s.peer.Code = language
	}
	s.peer.Say = func(line string) { fmt.Fprintln(os.Stderr, line) }
	if x := s.Extra; s.CDP != "" && (x.SlowMo > 0 || x.Timeout > 0 || len(x.Args) > 0) {
		s.notes = append(s.notes,
			"browser.launchOptions: args, slowMo and timeout are for a browser that pwpipe starts")
	}
	c := &s.peer.Contexts
	if c.Device != "" && s.CDP != "" {
		return fmt.Errorf("--device, --cdp-endpoint: Device emulation is not supported with cdpEndpoint. " +
			"Leave out one of them")
	}
	if own := c.Device != "" || c.Width > 0 || c.UserAgent != "" || c.State != "" || c.Insecure ||
		c.More != nil; own && s.UserDataDir != "" {
		return fmt.Errorf("--user-data-dir: a browser with a profile has one context, which takes no device, " +
			"viewport, user agent, certificates, storage state or other options; " +
			"leave out --user-data-dir or those flags")
	}
	return nil
}

// workspace returns the folder whose files tools may touch: the working directory, as in
// Playwright MCP. Some hosts start servers in the root, which would be no limit: then it returns
// nil, for our default.
func workspace() []string {
	cwd, err := os.Getwd()
	if err != nil || filepath.Dir(cwd) == cwd {
		return nil
	}
	return []string{cwd}
}
