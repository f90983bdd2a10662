package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"pwpipe/internal/browser/grid"
)

// gridOptions are the flags of browsers of a Selenium Grid.
type gridOptions struct {
	hub          string
	capabilities string
}

func (o *gridOptions) register(f *pflag.FlagSet) {
	f.StringVar(&o.hub, "grid", "", "take browsers from the Selenium Grid whose hub has this address, such as http://127.0.0.1:4444")
	f.StringVar(&o.capabilities, "grid-capabilities", "", "WebDriver capabilities to request from the grid: a JSON object, or @FILE with one")
}

// read says what they ask for, beside the others.
func (o *gridOptions) read(of *options) (to grid.Options, err error) {
	switch {
	case o.hub == "" && o.capabilities == "":
		return to, nil
	case o.hub == "":
		return to, errors.New("--grid-capabilities needs --grid")
	case of.cdp != "" || of.ws != "":
		return to, errors.New("give one of --grid, --cdp and --ws")
	case of.browser != os.Getenv(envName("browser")) || of.userDataDir != "": // that variable is for where none is asked of a grid
		return to, errors.New("--browser and --user-data-dir belong to a browser that pwpipe starts; for a grid use --grid-capabilities")
	}
	to = grid.Options{Hub: o.hub, Headed: of.headed, Capabilities: json.RawMessage(o.capabilities)}
	if file, ok := strings.CutPrefix(o.capabilities, "@"); ok {
		if to.Capabilities, err = os.ReadFile(file); err != nil {
			return to, fmt.Errorf("--grid-capabilities: %w", err)
		}
	}
	if err := to.Check(); err != nil {
		return to, fmt.Errorf("--grid: %w", err)
	}
	return to, nil
}
