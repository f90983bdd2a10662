package script

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/parser"
)

func TestSourcesAreMeasured(t *testing.T) {
	for _, c := range []struct {
		src   string
		stack int
	}{
		{"", 0}, {"a", 0}, {"a, b; c", 0}, {"f(x)", stackOfBracket}, {"a + b", stackOfOperator}, {"if (a) b", stackOfBracket + stackOfOperator},
		{"'((((' // ((((", 0}, {"/* ((( */ a", 0}, {`"\"((("`, 0}, {"'a\\\n((('", 0},
		{"`(`", 2*stackOfBracket + stackOfBracket}, {"'((\n", 2 * stackOfBracket}, {"a / '(('", stackOfOperator + 2*stackOfBracket},
		{"// a\u2028(", stackOfBracket}, {"/*/(*/(", stackOfBracket}, {"/*", 0}, {"/* (", 0},
	} {
		if m := measure(c.src); m.stack != c.stack {
			t.Errorf("%q takes %d, want %d", c.src, m.stack, c.stack)
		}
	}
	for src, deep := range map[string]int{
		"x => y => z => 1": 0, "(a) => (b) => 1": 1, "f((a) => g((b) => h((c) => 1)))": 1, "(a = (b = 1) => 0) => 0": 2,
		"(a = (b = (c = 1) => 0) => 0) /* ) */ => 0": 3, "a >= (b) >= c": 0,
	} {
		if m := measure(src); m.arrows != deep {
			t.Errorf("%q: parameters %d deep, want %d", src, m.arrows, deep)
		}
	}
}

func TestSourcesOverABoundAreRefused(t *testing.T) {
	for what, src := range map[string]string{
		"brackets": strings.Repeat("(", 300_000), "unary": strings.Repeat("!", 2_000_000), "else": strings.Repeat("if(0);else ", 300_000),
		"classes": strings.Repeat("class ", 600_000), "try": strings.Repeat("try;", 400_000), "commas": strings.Repeat("a,", 400_000),
		"after a template": "``;" + strings.Repeat("'('", 300_000), "arrows": strings.Repeat("(a=", 30) + "0" + strings.Repeat(")=>0", 30),
		"digits": strings.Repeat("9", 2_000_000) + "n",
		"labels": strings.Repeat("a:", 5000), "labels in brackets": strings.Repeat("(a):", 5000), "escaped labels": strings.Repeat("\\u0061:", 5000),
		"labels in what was taken for a key": strings.Repeat("try,a:try[{a:", 5000), "labels after a comment": "1/1;" + strings.Repeat("a//[{b\n:", 5000),
		"labels of long names": strings.Repeat(strings.Repeat("a", 10_000)+":", 500), "labels between braces": strings.Repeat("a:{try}", 5000),
	} {
		if err := checkSource(src, ofScript); err == nil || !overBound(err) {
			t.Errorf("%s: %v", what, err)
		}
	}
	long := "const data = '" + strings.Repeat("((((", 1<<20) + "';\n" + strings.Repeat("await page.click('a'); ", 5000)
	rows := strings.Repeat("{name: 'a', at: [1, 2], to: {}, \"note\": 1},\n", 10_000)
	for _, src := range []string{long, "const data = [" + rows + "]", "1/1;" + strings.Repeat("{\"a\": 1, 'b' : 2},", 10_000)} {
		if err := checkSource(src, ofScript); err != nil {
			t.Errorf("a long script of the ordinary sort, %.60s...: %v", src, err)
		}
	}
}

// deepest is how deep a tree is, as the bounds count it.
func deepest(tree *ast.Program) int {
	lo, hi := 0, 1<<20
	for lo < hi {
		mid := (lo + hi) / 2
		t := &syntaxTree{seen: map[uintptr]bool{}, most: mid}
		if t.walk(tree) == nil {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// Nothing may nest that is not measured, whatever state an error has put the
// parser into.
func FuzzMeasure(f *testing.F) {
	for _, src := range []string{"((((1))))", "a?b,a?b,a?b,", "a?b;a?b;a?b;", "try;try;try;", "class;class;class;", "function f();function f();", "`${`${1}`}`",
		"a/'(((('", "/[/]((/", "x=/'/;((((", "if(1)x;else if(2)y;else z", "a.b.c.d", "!-+~typeof void a", "a=>b=>c=>{}", "({a:{b:{c:1}}})", "l:m:n:1",
		"new new new a", "yield yield a", "async a=>await b", "\\u0028(", "'\\\n((' (", "/*/((*/((", "{try;}{try;}", "`a${b c`((`}`", "<!-- (", "a\u2028/(/", "#a in b"} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 2000 {
			return
		}
		m := measure(src)
		if m.arrows > ofScript.arrows {
			return
		}
		tree, _ := parser.ParseFile(nil, "", src, 0, parser.WithDisableSourceMaps)
		if tree == nil {
			return
		}
		// Around each token there are a statement, an expression, and what holds
		// it together.
		if most := 8 + 5*m.stack/stackOfOperator; deepest(tree) > most {
			t.Errorf("%q is %d deep, and %d at most by its measure", src, deepest(tree), most)
		}
	})
}

func TestJSONIsMeasured(t *testing.T) {
	for text, deep := range map[string]int{"": 0, "1": 0, "[]": 1, `{"a":[1,{"b":2}]}`: 3, `"[[["`: 0, `["\"[["]`: 1, "[[[": 3, `"\\"[`: 1} {
		if got, _ := measureJSON(text); got != deep {
			t.Errorf("%s is %d deep, want %d", text, got, deep)
		}
	}
}

func FuzzMeasureJSON(f *testing.F) {
	for _, text := range []string{"[[1]]", `{"a":{"b":[]}}`, `"["`, `["\\\"["]`, "[", `{"a":`, "[1,2"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, _ := measureJSON(text)
		now, deep := 0, 0
		for d := json.NewDecoder(strings.NewReader(text)); ; {
			tok, err := d.Token()
			if err != nil {
				break
			}
			if delim, ok := tok.(json.Delim); ok && (delim == '[' || delim == '{') {
				now++
				deep = max(deep, now)
			} else if ok {
				now--
			}
		}
		if got < deep {
			t.Errorf("%q is %d deep, and %d by its measure", text, deep, got)
		}
	})
}
