// Package service_test tests `pwpipe serve` over real HTTP, with a real browser
// and the sample site.
package service_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

func TestMain(m *testing.M) { pipetest.Main(m) }

type m = pipetest.Object
