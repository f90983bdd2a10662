package script

import (
	"crypto/rand"
	"reflect"
	"strings"
	"sync"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/parser"
	"github.com/dop251/goja/token"
	"github.com/dop251/goja/unistring"
)

// program compiles what a script wrote, within bounds. finish may change the
// tree before.
func program(src string, finish func(*ast.Program)) (*goja.Program, error) {
	if err := checkSource(src, ofScript); err != nil {
		return nil, err
	}
	tree, err := parser.ParseFile(nil, scriptFile, src, 0, noSourceMaps)
	if err != nil {
		return nil, err
	}
	if worthALook(src) {
		t := &syntaxTree{seen: map[uintptr]bool{}, most: maxSyntax}
		if err := t.walk(tree); err != nil {
			return nil, err
		}
		if err := t.guard(tree); err != nil {
			return nil, err
		}
		t.cut()
	}
	if finish != nil {
		finish(tree)
	}
	return goja.CompileAST(tree, false)
}

// worthALook tells the sources that can be too deep at all, and those with an
// operator that makes a large BigInt of two small ones.
func worthALook(src string) bool {
	return len(src) > 8*maxSyntax || strings.Contains(src, "<<") || strings.Contains(src, ">>") || strings.Contains(src, "**") ||
		strings.Count(src, "${") > maxPieces
}

// checkEval refuses the source of eval, new Function and their kin. Their
// operators can't be given a guard, so those that need one are refused.
func checkEval(src string) error {
	if err := checkSource(src, ofEval); err != nil || !worthALook(src) {
		return err
	}
	tree, err := parser.ParseFile(nil, "", src, 0, parser.WithDisableSourceMaps)
	if err != nil {
		return nil // the engine finds it too
	}
	t := &syntaxTree{seen: map[uintptr]bool{}, most: maxSyntax}
	if err := t.walk(tree); err != nil {
		return err
	}
	for _, slot := range t.templates {
		if n := len(slot.Interface().(*ast.TemplateLiteral).Expressions); n > 16*maxPieces {
			return tooMuch("in code that is evaluated, a template takes %d values together, %d are the most", n, 16*maxPieces)
		}
	}
	if len(t.shifts)+len(t.powers) > 0 {
		return tooMuch("in code that is evaluated, << >> and ** take a number that is written out on their right: nothing else bounds a BigInt there")
	}
	return nil
}

// syntaxTree is a script's syntax tree, with what in it needs a guard.
type syntaxTree struct {
	seen   map[uintptr]bool
	shifts []*ast.Expression // right sides of << and >>
	powers []reflect.Value   // places of **, a BinaryExpression or an AssignExpression
	with   bool
	most   int // how deep it may be

	templates []reflect.Value // places of templates with many pieces
}

// place is a part of a tree, and how deep it lies.
type place struct {
	v    reflect.Value
	deep int
}

// walk looks at the whole tree. It keeps no stack of Go's.
func (t *syntaxTree) walk(tree *ast.Program) error {
	todo := []place{{reflect.ValueOf(&tree.Body).Elem(), 0}}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if p.deep > t.most {
			return tooMuch("the source is nested more than %d deep", t.most)
		}
		switch p.v.Kind() {
		case reflect.Interface:
			if !p.v.IsNil() {
				t.note(p.v)
				todo = append(todo, place{p.v.Elem(), p.deep})
			}
		case reflect.Pointer:
			if !p.v.IsNil() && !t.seen[p.v.Pointer()] {
				t.seen[p.v.Pointer()] = true
				todo = append(todo, place{p.v.Elem(), p.deep + 1})
			}
		case reflect.Slice:
			for i := range p.v.Len() {
				todo = append(todo, place{p.v.Index(i), p.deep})
			}
		case reflect.Struct:
			for _, i := range partsOf(p.v.Type()) {
				todo = append(todo, place{p.v.Field(i), p.deep})
			}
		}
	}
	return nil
}

var parts sync.Map // reflect.Type of a node -> []int

// partsOf are the fields of a node that hold nodes.
func partsOf(t reflect.Type) []int {
	if list, ok := parts.Load(t); ok {
		return list.([]int)
	}
	var list []int
	for i := range t.NumField() {
		ft := t.Field(i).Type
		for ft.Kind() == reflect.Pointer || ft.Kind() == reflect.Slice {
			ft = ft.Elem()
		}
		if ft.PkgPath() == reflect.TypeFor[ast.Program]().PkgPath() && (ft.Kind() == reflect.Interface || ft.Kind() == reflect.Struct) {
			list = append(list, i)
		}
	}
	parts.Store(t, list)
	return list
}

// note keeps the expressions that need a guard: shifts and powers, but those by
// a number that is written out, which no BigInt can be mixed with.
func (t *syntaxTree) note(slot reflect.Value) {
	switch e := slot.Interface().(type) {
	case *ast.WithStatement:
		t.with = true
	case *ast.TemplateLiteral:
		if e.Tag == nil && len(e.Expressions) > maxPieces {
			t.templates = append(t.templates, slot)
		}
	case *ast.BinaryExpression:
		t.noteOperator(e.Operator, &e.Right, slot)
	case *ast.AssignExpression:
		t.noteOperator(e.Operator, &e.Right, slot)
	}
}

func (t *syntaxTree) noteOperator(op token.Token, right *ast.Expression, slot reflect.Value) {
	if n, ok := (*right).(*ast.NumberLiteral); ok {
		switch n.Value.(type) {
		case int64, float64:
			return
		}
	}
	switch op {
	case token.SHIFT_LEFT, token.SHIFT_RIGHT:
		t.shifts = append(t.shifts, right)
	case token.EXPONENT:
		t.powers = append(t.powers, slot)
	}
}

// The names of the guards in the tree. No source can spell them, and none can
// guess them.
var shiftGuard, powerGuard = unistring.String("<<" + rand.Text()), unistring.String("**" + rand.Text())

// guard has the operands of shifts and powers looked at when they are known:
// a << b becomes a << shift(b), and a ** b becomes power(a, b). Both guards are
// parameters of the function that is around a script.
func (t *syntaxTree) guard(tree *ast.Program) error {
	if len(t.shifts)+len(t.powers) == 0 {
		return nil
	}
	around := wrapper(tree)
	if around == nil || t.with {
		return tooMuch("a script with the operators << >> or ** can't have a with statement: nothing would bound a BigInt")
	}
	for _, right := range t.shifts {
		*right = called(shiftGuard, *right)
	}
	for _, slot := range t.powers {
		switch e := slot.Interface().(type) {
		case *ast.BinaryExpression:
			slot.Set(reflect.ValueOf(called(powerGuard, e.Left, e.Right)))
		case *ast.AssignExpression:
			if id, ok := e.Left.(*ast.Identifier); ok { // a **= b
				e.Operator, e.Right = token.ASSIGN, called(powerGuard, &ast.Identifier{Name: id.Name, Idx: id.Idx}, e.Right)
			} else { // the left side can't be had twice
				e.Right = called(powerGuard, e.Right)
			}
		}
	}
	for _, name := range []unistring.String{shiftGuard, powerGuard} {
		around.ParameterList.List = append(around.ParameterList.List, &ast.Binding{Target: &ast.Identifier{Name: name}})
	}
	return nil
}

// maxPieces is how many values a template takes together in one step.
const maxPieces = 4

// cut makes several templates, added together, of those with many pieces: each
// is a step of the engine's, between which it can be stopped.
func (t *syntaxTree) cut() {
	for _, slot := range t.templates {
		whole := slot.Interface().(*ast.TemplateLiteral)
		var sum ast.Expression
		for at := 0; at < len(whole.Expressions); at += maxPieces {
			end := min(at+maxPieces, len(whole.Expressions))
			part := &ast.TemplateLiteral{OpenQuote: whole.OpenQuote, CloseQuote: whole.CloseQuote, Expressions: whole.Expressions[at:end]}
			part.Elements = append(part.Elements, whole.Elements[at:end+1]...)
			if at > 0 { // the one before has it
				part.Elements[0] = &ast.TemplateElement{Idx: whole.Elements[at].Idx, Valid: true}
			}
			if sum == nil {
				sum = part
			} else {
				sum = &ast.BinaryExpression{Operator: token.PLUS, Left: sum, Right: part}
			}
		}
		slot.Set(reflect.ValueOf(sum))
	}
}

func called(guard unistring.String, args ...ast.Expression) ast.Expression {
	at := args[0].Idx0()
	return &ast.CallExpression{Callee: &ast.Identifier{Name: guard, Idx: at}, ArgumentList: args, LeftParenthesis: at, RightParenthesis: args[len(args)-1].Idx1()}
}
