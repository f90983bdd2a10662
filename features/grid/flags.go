package grid

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"pwpipe/cmd/program"
	"pwpipe/handlers"
	"pwpipe/internal/browser/grid"
	"pwpipe/internal/machine/writefile"
)

// flags choose a Selenium Grid and the browser that it gives.
type flags struct {
	hub, capabilities string
}

func newFlags(string) program.Flags { return &flags{} }

func (o *flags) Register(f *pflag.FlagSet, _ *handlers.Config) {
	f.StringVar(&o.hub, "grid", "",
		"take browsers from the Selenium Grid whose hub has this address, such as http://127.0.0.1:4444")
	f.StringVar(&o.capabilities, "grid-capabilities", "",
		"WebDriver capabilities to request from the grid: a JSON object, or @FILE with one")
}

// Into has the browser come from a Selenium Grid, if the flags name one.
func (o *flags) Into(s *program.Setup) (err error) {
	switch {
	case *o == flags{}:
		return nil
	case o.hub == "":
		return errors.New("--grid-capabilities needs --grid")
	case s.Lends():
		return errors.New("give one of --grid, --cdp and --ws")
	// The variable is for where no browser is asked of a grid.
	case s.Browser != os.Getenv("PWPIPE_BROWSER") || s.UserDataDir != "":
		return errors.New("--browser and --user-data-dir belong to a browser that pwpipe starts; " +
			"for a grid use --grid-capabilities")
	}
	asked := grid.Options{Hub: o.hub, Headed: s.Headed, Capabilities: json.RawMessage(o.capabilities)}
	if file, ok := strings.CutPrefix(o.capabilities, "@"); ok {
		s.Controls = append(s.Controls, file)
		if asked.Capabilities, err = writefile.Config(file); err != nil {
			return fmt.Errorf("--grid-capabilities: %w", err)
		}
	}
	if err := asked.Check(); err != nil {
		return fmt.Errorf("--grid: %w", err)
	}
	s.Browser, s.Source = "", Of(asked)
	return nil
}
