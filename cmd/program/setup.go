package program

import (
	"context"
	"fmt"
	"io"
	"os"
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

func (p *Program) doctorCommand(out io.Writer) *cobra.Command {
	var o setup.Options
	cmd := command("doctor", "Say what is installed, what is missing, and what mends it", takes(0, 0),
		func(cmd *cobra.Command, _ []string) error {
			if err := checkValue("browser-sandbox", o.Sandbox, sandboxes); err != nil {
				return err
			}
			w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
			bad := false
			for _, c := range setup.Doctor(cmd.Context(), o, p.checks()...) {
				bad = bad || c.Status == setup.StatusMissing || c.Status == setup.StatusBroken
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
				return ExitStatus(1)
			}
			return nil
		})
	cmd.Flags().StringVar(&o.Browser, "browser", "", "path of a browser, or chrome, chromium, msedge, firefox, webkit")
	cmd.Flags().StringVar(&o.Sandbox, "browser-sandbox", setup.SandboxAuto, sandboxHelp)
	completeBrowser(cmd)
	complete(cmd, "browser-sandbox", sandboxes)
	return cmd
}

// checks are the lines of doctor that features have.
func (p *Program) checks() (all []func(context.Context, string) setup.Check) {
	for _, f := range p.Features {
		if f.Check != nil {
			all = append(all, f.Check)
		}
	}
	return all
}
