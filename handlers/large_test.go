package handlers_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pwpipe/internal/pipetest"
)

// largeFile lists what is large, each with its reason.
const largeFile = "testdata/large.md"

// The gauges: anything larger needs a reason in largeFile.
var gauges = map[string]int{
	"lines of a package":  2500,
	"lines of a file":     800,
	"lines of a function": 60,
	"fields of a struct":  15,
	"methods of a type":   25,
	wideLines:             0, // per package
}

const wideLines = "lines over 120 columns"

// measure is one size of one thing.
type measure struct {
	what, of string
	size     int
}

// TestLarge prints what is large, with its reason. A new entry
// needs a reason there, or must get smaller; -update writes the rows.
func TestLarge(t *testing.T) {
	list := readFile(t, largeFile)
	reasons := map[string]string{}
	for line := range strings.Lines(list) {
		if cells := strings.Split(strings.TrimSpace(line), " | "); len(cells) == 4 {
			reasons[cells[0]+" "+cells[2]] = strings.TrimSuffix(cells[3], " |")
		}
	}
	wide, before := []string{}, wideBefore(list)
	rows := "| what | size | is | why |\n|---|---|---|---|\n"
	for _, m := range measured(t) {
		if m.what == wideLines {
			wide = append(wide, fmt.Sprintf("%s %d", m.of, m.size))
			if m.size > before[m.of] && !pipetest.Update() {
				t.Errorf("%s has %d lines over 120 columns, and had %d: wrap them", m.of, m.size, before[m.of])
			}
			continue
		}
		reason := reasons["| `"+m.of+"` "+m.what]
		t.Logf("%s: %d %s: %s", m.of, m.size, m.what, reason)
		if reason == "" {
			t.Errorf("%s has %d %s, of %d at most: make it smaller, or give the reason in %s (-update adds the row)",
				m.of, m.size, m.what, gauges[m.what], largeFile)
		}
		if m.what == "lines of a package" { // in hundreds, so that not each change is a change of the page
			m.size = (m.size + 50) / 100 * 100
		}
		rows += fmt.Sprintf("| `%s` | %d | %s | %s |\n", m.of, m.size, m.what, reason)
	}
	t.Logf("lines over 120 columns: %s", strings.Join(wide, ", "))
	if pipetest.Update() {
		list = pipetest.Section(t, list, "large", "\n"+rows)
		pipetest.Golden(t, largeFile, pipetest.Section(t, list, "wide", "\n"+strings.Join(wide, ", ")+"\n"))
	}
}

// wideBefore returns each package's number of lines over 120 columns when
// the list was last updated.
func wideBefore(list string) map[string]int {
	_, rest, _ := strings.Cut(list, "<!-- wide -->\n")
	items, _, _ := strings.Cut(rest, "\n")
	before := map[string]int{}
	for item := range strings.SplitSeq(items, ", ") {
		name, n := "", 0
		if _, err := fmt.Sscan(item, &name, &n); err == nil {
			before[name] = n
		}
	}
	return before
}

// measured returns everything over its gauge, by kind and name.
func measured(t *testing.T) []measure {
	t.Helper()
	sizes := map[[2]string]int{}
	eachFile(t, func(file string) {
		ext := filepath.Ext(file)
		if strings.HasSuffix(file, "_test.go") || !slices.Contains([]string{".go", ".js", ".cjs"}, ext) {
			return
		}
		text, err := os.ReadFile(filepath.Join("..", file))
		if err != nil {
			t.Fatal(err)
		}
		file = filepath.ToSlash(file)
		sizes[[2]string{"lines of a file", file}] = strings.Count(string(text), "\n")
		if ext == ".go" {
			measureGo(t, file, string(text), sizes)
		}
	})
	var list []measure
	for k, n := range sizes {
		if n > gauges[k[0]] {
			list = append(list, measure{k[0], k[1], n})
		}
	}
	slices.SortFunc(list, func(a, b measure) int { return cmp.Or(strings.Compare(a.what, b.what), strings.Compare(a.of, b.of)) })
	return list
}

// measureGo adds the sizes of a Go file's declarations.
func measureGo(t *testing.T, file, text string, sizes map[[2]string]int) {
	t.Helper()
	pkg := filepath.ToSlash(filepath.Dir(file))
	sizes[[2]string{"lines of a package", pkg}] += strings.Count(text, "\n")
	for line := range strings.Lines(text) {
		if utf8.RuneCountInString(strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "\t", "    ")) > 120 {
			sizes[[2]string{wideLines, pkg}]++
		}
	}
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range parsed.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			owner := receiver(d)
			sizes[[2]string{"lines of a function", pkg + strings.TrimSuffix("."+owner, ".") + "." + d.Name.Name}] =
				set.Position(d.End()).Line - set.Position(d.Pos()).Line + 1
			if owner != "" {
				sizes[[2]string{"methods of a type", pkg + "." + owner}]++
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if named, ok := s.(*ast.TypeSpec); ok {
					if st, ok := named.Type.(*ast.StructType); ok {
						sizes[[2]string{"fields of a struct", pkg + "." + named.Name.Name}] = st.Fields.NumFields()
					}
				}
			}
		}
	}
}

// receiver is a method's type, "" for a function.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	of := d.Recv.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	if generic, ok := of.(*ast.IndexExpr); ok {
		of = generic.X
	}
	name, _ := of.(*ast.Ident)
	if name == nil {
		return ""
	}
	return name.Name
}
