package scripts_test

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// A source on which the TypeScript parser never finishes is given up, and other
// sources are parsed meanwhile and afterwards.
func TestTypeScriptEnds(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestHostileSources of features/scripts/typescript is quick")
	t.Parallel()
	p := start(t, "/form")
	hostile := "let a,b,z: number=1; " + strings.Repeat("a?(b):c=>", 40) + "1"
	if e := p.Fail("execute", pipetest.Object{"code": hostile}, "timeout", 60); !strings.Contains(e, "types could not be removed") {
		t.Error(e)
	}
	if got := pipetest.Execute(p, "const n: number = 6 * 7; n"); got != "42" {
		t.Errorf("TypeScript afterwards: %s", got)
	}
}
