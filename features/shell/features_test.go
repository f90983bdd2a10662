package shell_test

import (
	"pwpipe/cmd/program"
	"pwpipe/features"
	"pwpipe/features/shell"
)

func init() { shell.Whole = &program.Program{Version: "0.1.0-dev", Features: features.All()} }
