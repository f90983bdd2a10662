package program

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"pwpipe/internal/machine/setup"
)

// versionLine says what this binary is: its version, the commit it was built from, and
// the driver and the browser that it is for.
func (p *Program) versionLine() string {
	line, from := "pwpipe version "+p.Version, p.Commit
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				from = s.Value
			}
		}
	}
	if from != "" {
		line += " (" + from[:min(len(from), 12)] + ")"
	}
	return line + ", " + setup.Pinned() + "\n"
}

// upgrades say, for each way of installing, what upgrades a copy of pwpipe.
var upgrades = map[string]string{
	"npm": "npm install pwpipe@latest (-g for a global one); npx pwpipe@latest runs the newest",
	"pip": "pip install --upgrade pwpipe; with uv: uv tool upgrade pwpipe",
}

// places are the folders of packages of the system, by what installs there.
var places = []struct{ part, way, command string }{
	{"/Cellar/", "Homebrew", "brew upgrade pwpipe"},
	{"/Caskroom/", "Homebrew", "brew upgrade pwpipe"},
	{`\scoop\`, "Scoop", "scoop update pwpipe"},
	{`\WinGet\`, "winget", "winget upgrade pwpipe.pwpipe"},
	{"/go/bin/", "go install", "go install ./cmd/pwpipe in an updated checkout"},
	{"/usr/bin/", "a package of the system", "your package manager, with the deb or rpm of the new release"},
}

// HowInstalled says how this copy came here, and what replaces it with a newer one.
func HowInstalled(by, path string) string {
	if command, ok := upgrades[by]; ok {
		return "installed by " + by + ": " + command
	}
	for _, p := range places {
		if strings.Contains(path, p.part) {
			return "installed by " + p.way + ": " + p.command
		}
	}
	return "installed from an archive or a build, at " + path + ": replace this file with that of the new release"
}

func (p *Program) upgradeCommand(out io.Writer) *cobra.Command {
	return command("upgrade", "Say how this copy was installed, and what upgrades it", takes(0, 0),
		func(*cobra.Command, []string) error {
			path, err := os.Executable()
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(out, p.versionLine(), HowInstalled(os.Getenv("PWPIPE_INSTALLED_BY"), path), "\n")
			return err
		})
}
