package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"pwpipe/handlers"
	"pwpipe/internal/browser/chromium"
	"pwpipe/internal/browser/extension"
	"pwpipe/internal/machine/writefile"
)

// lendOptions are the flags of the browser that a person uses.
type lendOptions struct {
	tabs      []string // texts that name tabs
	ownWindow bool
}

func (o *lendOptions) register(f *pflag.FlagSet) {
	f.StringArrayVar(&o.tabs, "lend", nil,
		"with --cdp chrome, edge, ...: lend the open tabs whose address or title contains this; can be repeated")
	f.BoolVar(&o.ownWindow, "own-window", false, "with --cdp chrome, edge, ...: open pages in windows of their own")
}

// into has a configuration lend tabs, if it names a person's browser.
func (o *lendOptions) into(cfg *handlers.Config) error {
	cfg.Lender = handlers.LenderOf(*cfg)
	switch {
	case cfg.Lender == nil && (len(o.tabs) > 0 || o.ownWindow):
		return fmt.Errorf("--lend and --own-window belong to a browser that a person uses: --cdp %s",
			strings.Join(chromium.Personal(), ", "))
	case cfg.Lender != nil && len(cfg.CDPHeaders) > 0:
		return fmt.Errorf("--cdp-header belongs to an address; %s needs none", cfg.CDP)
	case slices.Contains(o.tabs, ""):
		return errors.New("--lend: expected a part of the address or the title of a tab")
	case cfg.Lender == nil && cfg.CDP != extension.Name:
		return nil
	case cfg.Policy.Lists():
		return fmt.Errorf("--cdp %s: --allowed-domains, --blocked-domains and --block-private can't be enforced "+
			"in a browser that pwpipe did not start: "+
			"its requests pass no proxy of pwpipe's, and the first request of a pop-up can't be held; "+
			"leave these flags out, or leave --cdp out for a browser that is guarded", cfg.CDP)
	}
	if cfg.Lender != nil {
		cfg.Lender.Lent, cfg.Lender.OwnWindow = o.tabs, o.ownWindow
	}
	return nil
}

// gridInto has the browser come from a Selenium Grid, if the flags name one.
func (o *options) gridInto(cfg *handlers.Config) (err error) {
	switch {
	case o.Grid.Hub == "" && o.capabilities == "":
		return nil
	case o.Grid.Hub == "":
		return errors.New("--grid-capabilities needs --grid")
	case o.Lends():
		return errors.New("give one of --grid, --cdp and --ws")
	case o.Browser != os.Getenv(envName("browser")) || o.UserDataDir != "": // that variable is for where none is asked of a grid
		return errors.New("--browser and --user-data-dir belong to a browser that pwpipe starts; " +
			"for a grid use --grid-capabilities")
	}
	cfg.Browser, cfg.Grid.Headed, cfg.Grid.Capabilities = "", o.Headed, json.RawMessage(o.capabilities)
	if file, ok := strings.CutPrefix(o.capabilities, "@"); ok {
		if cfg.Grid.Capabilities, err = writefile.Config(file); err != nil {
			return fmt.Errorf("--grid-capabilities: %w", err)
		}
	}
	if err := cfg.Grid.Check(); err != nil {
		return fmt.Errorf("--grid: %w", err)
	}
	return nil
}
