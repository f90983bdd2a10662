package program

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"pwpipe/handlers"
	"pwpipe/handlers/grids"
	"pwpipe/handlers/owntabs"
	"pwpipe/internal/browser/grid"
	"pwpipe/internal/browser/lend"
	"pwpipe/internal/machine/writefile"
)

// lendOptions are the flags of the browser that a person uses.
type lendOptions struct {
	tabs      []string // texts that name tabs
	ownWindow bool

	client *lend.Client // borrows them; nil for another browser, and for the extension
}

func (o *lendOptions) register(f *pflag.FlagSet) {
	f.StringArrayVar(&o.tabs, "lend", nil,
		"with --cdp chrome, edge, ...: lend the open tabs whose address or title contains this; can be repeated")
	f.BoolVar(&o.ownWindow, "own-window", false, "with --cdp chrome, edge, ...: open pages in windows of their own")
}

// into has a configuration lend tabs, if it names a person's browser.
func (o *lendOptions) into(cfg *handlers.Config) error {
	own, client := owntabs.Named(cfg.CDP, cfg.Log)
	if own != nil {
		cfg.Source = own
	}
	switch {
	case client == nil && (len(o.tabs) > 0 || o.ownWindow):
		return fmt.Errorf("--lend and --own-window belong to a browser that a person uses: --cdp %s",
			strings.Join(lend.Personal(), ", "))
	case client != nil && len(cfg.CDPHeaders) > 0:
		return fmt.Errorf("--cdp-header belongs to an address; %s needs none", cfg.CDP)
	case slices.Contains(o.tabs, ""):
		return errors.New("--lend: expected a part of the address or the title of a tab")
	case own == nil:
		return nil
	case cfg.Policy.Lists():
		return fmt.Errorf("--cdp %s: --allowed-domains, --blocked-domains and --block-private can't be enforced "+
			"in a browser that pwpipe did not start: "+
			"its requests pass no proxy of pwpipe's, and the first request of a pop-up can't be held; "+
			"leave these flags out, or leave --cdp out for a browser that is guarded", cfg.CDP)
	}
	if o.client = client; client != nil {
		client.Lent, client.OwnWindow = o.tabs, o.ownWindow
	}
	return nil
}

// gridOptions are the flags of a Selenium Grid.
type gridOptions struct {
	hub, capabilities string
}

func (o *gridOptions) register(f *pflag.FlagSet) {
	f.StringVar(&o.hub, "grid", "",
		"take browsers from the Selenium Grid whose hub has this address, such as http://127.0.0.1:4444")
	f.StringVar(&o.capabilities, "grid-capabilities", "",
		"WebDriver capabilities to request from the grid: a JSON object, or @FILE with one")
}

// gridInto has the browser come from a Selenium Grid, if the flags name one.
func (o *options) gridInto(cfg *handlers.Config) (err error) {
	switch {
	case o.grid == gridOptions{}:
		return nil
	case o.grid.hub == "":
		return errors.New("--grid-capabilities needs --grid")
	case o.Lends():
		return errors.New("give one of --grid, --cdp and --ws")
	case o.Browser != os.Getenv(envName("browser")) || o.UserDataDir != "": // that variable is for where none is asked of a grid
		return errors.New("--browser and --user-data-dir belong to a browser that pwpipe starts; " +
			"for a grid use --grid-capabilities")
	}
	asked := grid.Options{Hub: o.grid.hub, Headed: o.Headed, Capabilities: json.RawMessage(o.grid.capabilities)}
	if file, ok := strings.CutPrefix(o.grid.capabilities, "@"); ok {
		if asked.Capabilities, err = writefile.Config(file); err != nil {
			return fmt.Errorf("--grid-capabilities: %w", err)
		}
	}
	if err := asked.Check(); err != nil {
		return fmt.Errorf("--grid: %w", err)
	}
	cfg.Browser, cfg.Source = "", grids.Of(asked)
	return nil
}
