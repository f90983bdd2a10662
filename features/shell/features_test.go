package shell_test

import (
	"pwpipe/features"
	"pwpipe/features/shell"
	"pwpipe/program"
)

func init() { shell.Whole = &program.Program{Version: "0.1.0-dev", Features: features.All()} }
