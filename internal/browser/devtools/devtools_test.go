package devtools

import (
	"context"
	"errors"
	"strings"
	"testing"
)

func TestFilePattern(t *testing.T) {
	known := []string{"http://h/", "http://h/debug", "http://h/static/debug.js", "http://h/static/debug-more.js", "http://h/js/app.3f2a.js?v=2"}
	for file, want := range map[string]string{
		"debug.js":        "http://h/static/debug.js",
		"static/debug.js": "http://h/static/debug.js",
		"/debug":          "http://h/debug",
		"http://h/debug":  "http://h/debug",
		"debug-more":      "http://h/static/debug-more.js",
		"app":             "http://h/js/app.3f2a.js?v=2",
		"app.3f2a.js":     "http://h/js/app.3f2a.js?v=2",
		`/more\.js$/`:     "http://h/static/debug-more.js",
		"bug.js":          "",
		"app.js":          "",
	} {
		_, re, err := filePattern(file, known)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, url := range known {
			if re.MatchString(url) {
				got = append(got, url)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q means %v, want %q", file, got, want)
		}
	}
	// For files that do not exist yet, a whole name means only that file.
	_, re, _ := filePattern("late.js", nil)
	if !re.MatchString("http://h/late.js?x") || re.MatchString("http://h/late.json") || re.MatchString("http://h/translate.js") {
		t.Errorf("late.js means %s", re)
	}
}

func TestCreatorSkipsReactsOwnCall(t *testing.T) {
	for stack, want := range map[string]string{
		"Error: react-stack-top-frame\n    at exports.jsxDEV (http://h/app.js:10:5)\n    at Button (http://h/app.js:120:30)\n    at x (http://h/app.js:1:1)": "app.js:120:30",
		"Error: react-stack-top-frame\n    at exports.jsxDEV (http://h/app.js:10:5)\n    at http://h/app.js:7:2":                                             "app.js:7:2",
		"Error\n    at exports.jsxDEV (http://h/app.js:10:5)\n    at Object.react_stack_bottom_frame (http://h/app.js:9:9)":                                  "",
		"": "",
	} {
		at, ok := creator(stack)
		if ok != (want != "") || ok && at.String() != want {
			t.Errorf("%q was made at %v %v", stack, at, ok)
		}
	}
}

func TestSourceNames(t *testing.T) {
	for _, c := range [][3]string{
		{"/", "../src/Button.jsx", "src/Button.jsx"},
		{"/src", "Button.jsx", "src/Button.jsx"},
		{"/assets/js", "../../src/./Button.jsx", "src/Button.jsx"},
		{"/", "webpack://app/./src/Button.jsx", "src/Button.jsx"},
		{"/", "webpack:///src/Button.jsx", "src/Button.jsx"},
		{"/", "/home/ada/Button.jsx", "/home/ada/Button.jsx"},
		{"/", "file:///home/ada/Button.jsx", "file:///home/ada/Button.jsx"},
	} {
		if got := (&sourceMap{dir: c[0]}).name(c[1]); got != c[2] {
			t.Errorf("%s in %s is %s, want %s", c[1], c[0], got, c[2])
		}
	}
}

// silent is a session that must get no commands.
type silent struct{ t *testing.T }

func (s silent) Send(method string, _ map[string]any) (any, error) {
	s.t.Errorf("%s was sent", method)
	return nil, errors.New("nobody there")
}

func (silent) On(string, func(map[string]any)) {}

func TestOnlyWhatIsAllowedIsLoaded(t *testing.T) {
	p := Open(silent{t}, func(*Where) {})
	refused := errors.New("not that one")
	p.MayLoad = func(string) error { return refused }
	if _, err := p.load(context.Background(), "http://h/app.js.map"); !errors.Is(err, refused) {
		t.Errorf("got %v", err)
	}
	p.MayLoad = nil
	if _, err := p.load(context.Background(), "file:///etc/hostname"); err == nil {
		t.Error("a file was loaded")
	}
}

func TestExcerptOfALongLine(t *testing.T) {
	line := strings.Repeat("a", 500) + "HERE" + strings.Repeat("b", 500)
	got := (&Page{}).excerpt("first\n"+line+"\nlast", 9, 10, 501)
	if !strings.Contains(got, "\n> 10 | …") || !strings.Contains(got, "HERE") || len(got) > 300 {
		t.Errorf("got %s", got)
	}
	if !strings.HasPrefix(got, "   9 | first\n") || !strings.HasSuffix(got, "\n  11 | last") {
		t.Errorf("got %s", got)
	}
}

func TestCascade(t *testing.T) {
	rule := func(decls ...Declaration) Rule {
		r := Rule{Declarations: decls}
		for _, d := range decls {
			names := []string{d.Name}
			if d.Name == "margin" {
				names = []string{"margin-top", "margin-left"}
			}
			r.longhands = append(r.longhands, names)
		}
		return r
	}
	list := []Rule{
		rule(Declaration{Name: "color", Value: "red"}, Declaration{Name: "color", Value: "blue"}, Declaration{Name: "margin-top", Value: "1px"}),
		rule(Declaration{Name: "color", Value: "green", Important: true}, Declaration{Name: "margin", Value: "2px"}),
		rule(Declaration{Name: "margin", Value: "3px"}, Declaration{Name: "color", Invalid: true}),
	}
	cascade(list, nil)
	var got []string
	for _, r := range list {
		for _, d := range r.Declarations {
			got = append(got, d.String())
		}
	}
	want := []string{"color: red;  /* overridden */", "color: blue;  /* overridden */", "margin-top: 1px;", "color: green !important;", "margin: 2px;",
		"margin: 3px;  /* overridden */", "color: ;  /* invalid */"}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got %q", got)
	}
}
