package program_test

import (
	"pwpipe/features"
	"pwpipe/program"
)

func init() { program.AllFeatures = features.All }
