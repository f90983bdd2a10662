package hosts

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pwpipe/cmd/program"
	"pwpipe/features/playwrightmcp"
	"pwpipe/internal/machine/writefile"
	"pwpipe/internal/text/hostconfig"
)

const mcpInstallHelp = `Adds our server to the configuration of an MCP host: of the project in the working
directory, or with --user of all projects of this user. What is in the file stays as it
is, comments too; a file that can't be read is left alone. Flags of ` + "`pwpipe mcp`" + ` for the
server stand behind --.`

const mcpInstallExample = `  pwpipe mcp install --for cursor
  pwpipe mcp install --for claude-code --user -- --isolated --profile agent`

// mcpHost says where a host looks for servers, and in which form.
type mcpHost struct {
	form    hostconfig.Form
	project string // its file in a project, "" for none
	user    func() (string, error)
}

var mcpHosts = map[string]mcpHost{
	"claude-desktop": {hostconfig.Form{Section: "mcpServers"}, "", claudeDesktop},
	"claude-code": {hostconfig.Form{Section: "mcpServers", Typed: true}, ".mcp.json", func() (string, error) {
		return inFolder("CLAUDE_CONFIG_DIR", os.UserHomeDir, "", ".claude.json")
	}},
	"codex": {hostconfig.Form{Section: "mcp_servers", TOML: true}, ".codex/config.toml", func() (string, error) {
		return inFolder("CODEX_HOME", os.UserHomeDir, ".codex", "config.toml")
	}},
	"cursor": {hostconfig.Form{Section: "mcpServers"}, ".cursor/mcp.json", func() (string, error) {
		return inFolder("", os.UserHomeDir, ".cursor", "mcp.json")
	}},
	"vscode": {hostconfig.Form{Section: "servers", Typed: true}, ".vscode/mcp.json", func() (string, error) {
		return inFolder("", os.UserConfigDir, filepath.Join("Code", "User"), "mcp.json")
	}},
	"zed": {hostconfig.Form{Section: "context_servers"}, ".zed/settings.json", zed},
}

// inFolder returns the path of a file: in the folder that a variable names, or else below base.
func inFolder(variable string, base func() (string, error), folder, file string) (string, error) {
	if dir := os.Getenv(variable); variable != "" && dir != "" {
		return filepath.Join(dir, file), nil
	}
	dir, err := base()
	return filepath.Join(dir, folder, file), err
}

// claudeDesktop returns the path of Claude Desktop's file. On Windows it is mostly a packaged app,
// whose AppData is a folder of its package.
func claudeDesktop() (string, error) {
	if runtime.GOOS == "windows" {
		own := filepath.Join(os.Getenv("LOCALAPPDATA"), "Packages", "Claude_*", "LocalCache", "Roaming", "Claude")
		if found, _ := filepath.Glob(own); len(found) > 0 {
			return filepath.Join(found[0], "claude_desktop_config.json"), nil
		}
	}
	return inFolder("", os.UserConfigDir, "Claude", "claude_desktop_config.json")
}

// zed returns the path of Zed's settings, which are in .config on a Mac too.
func zed() (string, error) {
	if runtime.GOOS == "windows" {
		return inFolder("", os.UserConfigDir, "Zed", "settings.json")
	}
	if dir := os.Getenv("XDG_CONFIG_HOME"); dir != "" && runtime.GOOS != "darwin" {
		return filepath.Join(dir, "zed", "settings.json"), nil
	}
	return inFolder("", os.UserHomeDir, filepath.Join(".config", "zed"), "settings.json")
}

type mcpInstall struct {
	host, name  string
	user, print bool
}

func installCommand(p *program.Program, out *os.File) *cobra.Command {
	var o mcpInstall
	hosts := slices.Sorted(maps.Keys(mcpHosts))
	cmd := &cobra.Command{
		Use: "install --for HOST [-- FLAG...]", Short: "Add our server to the configuration of an MCP host",
		Long: mcpInstallHelp, Example: mcpInstallExample,
		Args: func(cmd *cobra.Command, args []string) error {
			if cmd.ArgsLenAtDash() != 0 && len(args) > 0 {
				return program.WrongWords(cmd, fmt.Sprintf("%q", args[0]))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if err := program.CheckValue("for", o.host, hosts); err != nil {
				return err
			}
			if !reServerName.MatchString(o.name) {
				return fmt.Errorf("--name: letters, digits, - and _, got %q", o.name)
			}
			server := playwrightmcp.Command(p, out)
			if err := server.ParseFlags(args); err != nil {
				return fmt.Errorf("a flag for the server: %w", server.FlagErrorFunc()(server, err))
			}
			if err := playwrightmcp.RefusedFlag(server.Flags()); err != nil {
				return fmt.Errorf("a flag for the server: %w", err)
			}
			if rest := server.Flags().Args(); len(rest) > 0 {
				return fmt.Errorf("the server takes flags only, got %q", rest[0])
			}
			return o.run(out, args)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.host, "for", "", "the host: "+strings.Join(hosts, ", "))
	f.StringVar(&o.name, "name", "pwpipe", "name of the server")
	f.BoolVar(&o.user, "user", false, "for all projects of this user, rather than in the working directory")
	f.BoolVar(&o.print, "print", false, "print what would be added; write nothing")
	program.Complete(cmd, "for", hosts)
	return cmd
}

// reServerName matches names that need no quotes in any form.
var reServerName = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

func (o *mcpInstall) run(out io.Writer, args []string) error {
	host := mcpHosts[o.host]
	path, err := filepath.FromSlash(host.project), error(nil)
	if o.user = o.user || path == ""; o.user {
		path, err = host.user()
	}
	if err != nil {
		return err
	}
	server := hostconfig.Server{Name: o.name}
	if server.Command, server.Args, err = program.ServerCommand(o.user); err != nil {
		return err
	}
	server.Args = slices.Concat(server.Args, []string{"mcp"}, args)
	if o.print {
		r, err := host.form.Add(nil, server)
		if err == nil {
			_, err = fmt.Fprint(out, r.Entry)
		}
		return err
	}
	r, err := addServer(path, host.form, server, o.user)
	if err != nil {
		return fmt.Errorf("%s is left as it was: %w", path, err)
	}
	said := path + ": added\n" + r.Entry
	if r.There {
		said = path + " has this server already\n"
	}
	for _, name := range r.Peers {
		said += fmt.Sprintf("its server %q drives a browser too; it stays: remove it, or the model gets both\n", name)
	}
	_, err = fmt.Fprint(out, said)
	return err
}

func addServer(
	path string, form hostconfig.Form, server hostconfig.Server, users bool,
) (r hostconfig.Result, err error) {
	mode := writefile.Public
	if users { // some hosts keep keys there
		mode = writefile.Private
	} else if err := staysHere(path); err != nil {
		return r, err
	}
	old, err := writefile.Read(path, maxHostConfig)
	if errors.Is(err, fs.ErrNotExist) {
		old, err = nil, nil
	}
	if err == nil {
		err = writefile.Shallow(old)
	}
	if err != nil {
		return r, err
	}
	if r, err = form.Add(old, server); err != nil || r.There {
		return r, err
	}
	if err := writefile.Folders(filepath.Dir(path)); err != nil {
		return r, err
	}
	return r, writefile.Edit(path, old, r.Text, mode, maxHostConfig)
}

// maxHostConfig bounds a host's file, in bytes: some hosts keep conversations there.
const maxHostConfig = 256 << 20

// staysHere refuses a file of a project that is a link out of the project: the project may
// have come from somebody else, and the link may lead to the user's own file.
func staysHere(path string) error {
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		real, err = filepath.EvalSymlinks(filepath.Dir(path))
		if errors.Is(err, fs.ErrNotExist) {
			return nil // its folder is not there either
		}
	}
	if err != nil {
		return err
	}
	cwd, err := os.Getwd()
	if err == nil {
		cwd, err = filepath.EvalSymlinks(cwd)
	}
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if err == nil && !program.IsIn(cwd, real) {
		err = fmt.Errorf("it leads out of the project, to %s; --user is for your own file", real)
	}
	return err
}
