package program_test

import (
	"pwpipe/cmd/program"
	"pwpipe/features"
)

func init() { program.AllFeatures = features.All }
