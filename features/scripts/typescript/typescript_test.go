package typescript

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// The test binary is the parser too.
func TestMain(m *testing.M) {
	RunIfAsked(os.Stdout)
	os.Exit(m.Run())
}

func TestStrip(t *testing.T) {
	for code, want := range map[string]string{
		"const a: number = 1\nreturn a":                "const a = 1;",
		"enum E { A = 2 }\nreturn E.A":                 "E2[E2[\"A\"] = 2] = \"A\"",
		"const f = <T,>(x: T): T => x; await f(1)":     "await f(1)",
		"interface I { a: string }":                    "",
		"class C { constructor(private x: number){} }": "this.x = x",
	} {
		r, err := Strip(t.Context(), code)
		if err != nil || r.Why != "" || !strings.Contains(r.Code, want) || strings.Contains(r.Code, ": number") || r.Before != 1 {
			t.Errorf("%s: %+v, %v", code, r, err)
		}
	}
	if r, err := Strip(t.Context(), "const a: number = = 1"); err != nil || r.Why == "" || r.Line == 0 {
		t.Errorf("a broken source: %+v, %v", r, err)
	}
}

// Parsing is stopped if a source takes for ever or uses all memory. Neither ends this
// process.
func TestHostileSources(t *testing.T) {
	pipetest.InCI(t, "it takes the parser's whole time, and TestStrip is quick")
	for name, code := range map[string]string{
		"backtracking": "let a,b,z: number=1; " + strings.Repeat("a?(b):c=>", 40) + "1",
		"nesting":      "let a: number = " + strings.Repeat("(", 2_000_000),
		"templates":    "let a: number = " + strings.Repeat("`${", 1_000_000),
	} {
		if r, err := Strip(t.Context(), code); !errors.Is(err, ErrTooHard) && r.Why == "" {
			t.Errorf("%s: %.80v, %v", name, r, err)
		}
	}
	// 8 kB that become more than 30 MiB, since the parser indents.
	if r, err := Strip(t.Context(), "let a: number = 1;"+strings.Repeat("{", 4000)+strings.Repeat("}", 4000)); !errors.Is(err, ErrTooHard) {
		t.Errorf("indentation: %d bytes, %v", len(r.Code), err)
	}
	// The largest source allowed, and one larger.
	if r, err := Strip(t.Context(), "let a: number;\n"+strings.Repeat("f(1);\n", 3500)+"'"+strings.Repeat("x", 3<<20)+"'"); err != nil || r.Why != "" {
		t.Errorf("a long source: %s, %v", r.Why, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Strip(ctx, "let a: number"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
