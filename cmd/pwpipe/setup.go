package main

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"pwpipe/internal/machine/keyring"
	"pwpipe/internal/machine/setup"
)

func newInstallCommand() *cobra.Command {
	var o setup.Options
	var axe bool
	cmd := command("install", "Fetch the Playwright driver and the browser ahead of time", takes(0, 0),
		func(cmd *cobra.Command, _ []string) error {
			in, err := setup.Ensure(cmd.Context(), o)
			if err != nil {
				return err
			}
			if _, err := setup.Expect(cmd.Context(), o); err != nil {
				return err
			}
			if axe {
				if _, err := setup.Axe(cmd.Context(), o); err != nil {
					return err
				}
			}
			fmt.Fprintf(os.Stderr, "node     %s %s\ndriver   %s\nbrowser  %s %s\n", in.NodeVersion, in.Node, in.DriverDir, in.BrowserVersion, in.Executable)
			if o.SkipBrowser {
				return nil
			}
			// Found out now, it costs no later start anything.
			c, err := setup.Sandbox(cmd.Context(), o, in, false)
			if err != nil {
				return err
			}
			if c.On {
				fmt.Fprintln(os.Stderr, "sandbox  on")
			} else {
				fmt.Fprintln(os.Stderr, "sandbox  off: "+c.Why)
			}
			return nil
		})
	cmd.Long = "Fetches what a first run would fetch, through npm and its settings, into the user's\ncache folder (PWPIPE_CACHE overrides)."
	cmd.Flags().StringVar(&o.Browser, "browser", "", "path of a browser, or chrome, chromium, msedge, firefox, webkit")
	completeBrowser(cmd)
	cmd.Flags().BoolVar(&o.Headed, "headed", false, "for a browser that shows a window")
	cmd.Flags().BoolVar(&o.SkipBrowser, "driver-only", false, "without a browser, to attach to one that runs elsewhere")
	cmd.Flags().BoolVar(&axe, "axe", false, "axe-core too, which axe.run needs")
	return cmd
}

func newDoctorCommand(out io.Writer) *cobra.Command {
	var o setup.Options
	cmd := command("doctor", "Say what is installed, what is missing, and what mends it", takes(0, 0),
		func(cmd *cobra.Command, _ []string) error {
			if err := checkValue("browser-sandbox", o.Sandbox, sandboxes); err != nil {
				return err
			}
			w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
			bad := false
			for _, c := range setup.Doctor(cmd.Context(), o) {
				bad = bad || c.Status == "missing" || c.Status == "broken"
				fmt.Fprintf(w, "%s\t%s\t%s\n", c.Name, c.Status, c.Detail)
				if c.Fix != "" {
					fmt.Fprintf(w, "\t\tmend it: %s\n", c.Fix)
				}
			}
			status, detail := "ok", keyring.Name+": encrypts what open --persist keeps"
			if err := keyring.Check(); err != nil {
				status, detail = "note", fmt.Sprintf("none (%v); without a passphrase open --persist does not encrypt", err)
			}
			fmt.Fprintf(w, "keyring\t%s\t%s\n", status, detail)
			_ = w.Flush()
			if bad {
				return exitStatus(1)
			}
			return nil
		})
	cmd.Flags().StringVar(&o.Browser, "browser", "", "path of a browser, or chrome, chromium, msedge, firefox, webkit")
	cmd.Flags().StringVar(&o.Sandbox, "browser-sandbox", setup.SandboxAuto, sandboxHelp)
	completeBrowser(cmd)
	complete(cmd, "browser-sandbox", sandboxes)
	return cmd
}

// version is set when a release is built, and commit where there is no checkout to read it
// from: -ldflags "-X main.version=… -X main.commit=…".
var (
	version = "0.1.0-dev"
	commit  string
)

// versionLine says what this binary is: its version, the commit it was built from, and
// the driver and the browser that it is for.
func versionLine() string {
	line, from := "pwpipe version "+version, commit
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

// howInstalled says how this copy came here, and what replaces it with a newer one.
func howInstalled(by, path string) string {
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

func newUpgradeCommand(out io.Writer) *cobra.Command {
	return command("upgrade", "Say how this copy was installed, and what upgrades it", takes(0, 0),
		func(*cobra.Command, []string) error {
			path, err := os.Executable()
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(out, versionLine(), howInstalled(os.Getenv("PWPIPE_INSTALLED_BY"), path), "\n")
			return err
		})
}
