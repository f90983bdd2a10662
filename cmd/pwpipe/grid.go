package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"pwpipe/handlers"
)

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
		if cfg.Grid.Capabilities, err = os.ReadFile(file); err != nil {
			return fmt.Errorf("--grid-capabilities: %w", err)
		}
	}
	if err := cfg.Grid.Check(); err != nil {
		return fmt.Errorf("--grid: %w", err)
	}
	return nil
}
