package owntabs

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"pwpipe/cmd/program"
	"pwpipe/features/owntabs/lend"
	"pwpipe/handlers"
)

func newFlags(string) program.Flags { return &lendOptions{} }

type lendOptions struct {
	tabs      []string // texts that name tabs
	ownWindow bool
}

func (o *lendOptions) Register(f *pflag.FlagSet, _ *handlers.Config) {
	f.StringArrayVar(&o.tabs, "lend", nil,
		"with --cdp chrome, edge, ...: lend the open tabs whose address or title contains this; can be repeated")
	f.BoolVar(&o.ownWindow, "own-window", false, "with --cdp chrome, edge, ...: open pages in windows of their own")
}

// Into has a configuration lend tabs, if it names a person's browser.
func (o *lendOptions) Into(s *program.Setup) error {
	cfg := s.Config
	own, client := Named(cfg.CDP, cfg.Log)
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
	if client != nil {
		client.Lent, client.OwnWindow = o.tabs, o.ownWindow
		share(client, cfg.CDP, cfg.Log)
	}
	return nil
}
