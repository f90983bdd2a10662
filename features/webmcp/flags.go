package webmcp

import (
	"errors"

	"github.com/spf13/pflag"

	"pwpipe/cmd/program"
	"pwpipe/handlers"
)

// flags let pages offer tools.
type flags struct{}

func newFlags(string) program.Flags { return flags{} }

func (flags) Register(f *pflag.FlagSet, cfg *handlers.Config) {
	f.BoolVar(&cfg.PageTools, "page-tools", false,
		"let pages offer tools of their own to agents (WebMCP): page-tools, page-call")
}

// Into refuses a browser in which they can't.
func (flags) Into(s *program.Setup) error {
	if s.PageTools && (s.Lends() || s.Browser == "firefox" || s.Browser == "webkit") {
		return errors.New("--page-tools belongs to a Chromium that pwpipe starts; " +
			"leave it out with --cdp, --ws, firefox and webkit")
	}
	return nil
}
