package handlers_test

import (
	"bytes"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// paceFile lists the functions of tests that may pause, or wait for less than ten seconds,
// each with its reason.
const paceFile = "testdata/pace.txt"

// TestNothingDependsOnPace refuses pauses and short deadlines in tests: what waits, waits
// for a state (package until), so that a slow machine makes no test fail. It leaves out
// evidence, which measures (but no nightly tests), and synctest, where time is not real.
func TestNothingDependsOnPace(t *testing.T) {
	text, err := os.ReadFile(paceFile)
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]bool{} // by file and function; true once found
	for line := range strings.Lines(string(text)) {
		if where, reason, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && reason != "" {
			reasons[where] = false
		}
	}
	eachFile(t, func(file string) {
		if !strings.HasSuffix(file, "_test.go") {
			return
		}
		for _, at := range pausesIn(t, file) {
			if _, listed := reasons[at]; !listed {
				t.Errorf("%s pauses, or has a deadline below ten seconds; wait for a state instead (until.Holds), or give the reason in handlers/%s", at, paceFile)
			}
			reasons[at] = true
		}
	})
	for at, found := range reasons {
		if !found {
			t.Errorf("handlers/%s: %s no longer pauses", paceFile, at)
		}
	}
}

var outOfTime = regexp.MustCompile(`(?m)^//go:build .*\bevidence\b|^\t"testing/synctest"$`)

// pausesIn are the functions of a file that pause or have a short deadline.
func pausesIn(t *testing.T, file string) (names []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", file))
	if err != nil {
		t.Fatal(err)
	}
	if outOfTime.Match(text) && !bytes.Contains(text, []byte("pipetest.Nightly(")) {
		return nil
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), file, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range parsed.Decls {
		name := file + " variables"
		if f, ok := d.(*ast.FuncDecl); ok {
			name = file + " " + f.Name.Name
		}
		ast.Inspect(d, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && pauses(call) && !slices.Contains(names, name) {
				names = append(names, name)
			}
			return true
		})
	}
	return names
}

// pauses reports whether a call pauses, or sets a deadline below ten seconds.
func pauses(call *ast.CallExpr) bool {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	pkg, ok := f.X.(*ast.Ident)
	if !ok {
		return false
	}
	switch pkg.Name + "." + f.Sel.Name {
	case "time.Sleep":
		return true
	case "time.After", "time.NewTimer", "time.AfterFunc":
		return short(call.Args[0])
	case "context.WithTimeout":
		return short(call.Args[1])
	}
	return false
}

// short reports whether an expression is a constant below ten seconds.
func short(e ast.Expr) bool {
	units := map[string]time.Duration{"Nanosecond": time.Nanosecond, "Microsecond": time.Microsecond,
		"Millisecond": time.Millisecond, "Second": time.Second}
	factor := int64(1)
	if product, ok := e.(*ast.BinaryExpr); ok && product.Op == token.MUL {
		number, ok := product.X.(*ast.BasicLit)
		if !ok {
			return false
		}
		factor, _ = constant.Int64Val(constant.MakeFromLiteral(number.Value, number.Kind, 0))
		e = product.Y
	}
	unit, ok := e.(*ast.SelectorExpr)
	return ok && units[unit.Sel.Name] > 0 && time.Duration(factor)*units[unit.Sel.Name] < 10*time.Second
}
