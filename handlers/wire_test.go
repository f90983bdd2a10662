package handlers_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"pwpipe/features"
	"pwpipe/provider"
)

// TestWireNames checks that nothing goes on the wire by the name of a Go field: where a
// struct is JSON, each of its exported fields has a tag of its own, and no tool's schema
// has a name that begins with a capital.
func TestWireNames(t *testing.T) {
	eachFile(t, func(file string) {
		if filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") || strings.HasPrefix(file, "internal/pipetest/") {
			return
		}
		files := token.NewFileSet()
		parsed, err := parser.ParseFile(files, filepath.Join("..", file), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			var of ast.Expr
			switch n := n.(type) { // a variable of a struct type without a name only reads JSON
			case *ast.TypeSpec:
				of = n.Type
			case *ast.CompositeLit:
				of = n.Type
			}
			if s, ok := of.(*ast.StructType); ok {
				for _, name := range untagged(s) {
					t.Errorf("%s: the field %s goes on the wire without a name of its own; give it a json tag, \"-\" to keep it back",
						files.Position(s.Pos()), name)
				}
			}
			return true
		})
	})
	for _, tool := range provider.NewTable(features.Tools(), provider.TableOptions{}).Profile("all") {
		for _, name := range slices.Concat(capitals(tool.In), capitals(tool.Out)) {
			t.Errorf("%s: %q is the name of a Go field", tool.Name, name)
		}
	}
}

// untagged are the exported fields without a json tag, in a struct that has one on another.
func untagged(s *ast.StructType) (names []string) {
	tagged := false
	for _, field := range s.Fields.List {
		if field.Tag != nil {
			tag, _ := strconv.Unquote(field.Tag.Value)
			if _, ok := reflect.StructTag(tag).Lookup("json"); ok {
				tagged = true
				continue
			}
		}
		for _, name := range field.Names { // none of an embedded struct, whose fields have their own
			if name.IsExported() {
				names = append(names, name.Name)
			}
		}
	}
	if !tagged {
		return nil
	}
	return names
}

// capitals are the property names of a schema that begin with a capital.
func capitals(s *jsonschema.Schema) (names []string) {
	if s == nil {
		return nil
	}
	for name, property := range s.Properties {
		if name != "" && name[0] >= 'A' && name[0] <= 'Z' {
			names = append(names, name)
		}
		names = append(names, capitals(property)...)
	}
	return append(names, capitals(s.Items)...)
}
