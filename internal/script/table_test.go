package script

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pwpipe/internal/pipetest"
)

// TestTableIsComplete: each member of the API is in the table, and nothing
// else but the assertions; what is refused says why.
func TestTableIsComplete(t *testing.T) {
	want := map[string]bool{}
	for _, m := range members() {
		want[m.class+"."+m.name] = true
	}
	for class, of := range classes {
		if strings.HasSuffix(class, "Assertions") {
			for i := range of.NumMethod() {
				want[class+"."+lowerFirst(of.Method(i).Name)] = true
			}
		}
	}
	got := slices.Sorted(maps.Keys(theTable().entries))
	if d := cmp.Diff(slices.Sorted(maps.Keys(want)), got); d != "" {
		t.Errorf("members of the API (-) and of the table (+):\n%s", d)
	}
	if len(theTable().order) != len(got) {
		t.Error("a member is there twice")
	}
	for _, e := range theTable().order {
		if !e.js && !e.callable() && len(e.why) < 10 {
			t.Errorf("%s.%s is refused for no reason", e.class, e.name)
		}
	}
}

// TestMembersAreThere: what the table has or refuses, scripts find; also what
// is made in JavaScript.
func TestMembersAreThere(t *testing.T) {
	r := newRuntime(t)
	for _, e := range theTable().order {
		proto := r.protos[e.class]
		if proto == nil {
			continue // there are no objects of it
		}
		names := []string{}
		for p := proto; p != nil; p = p.Prototype() {
			names = append(names, p.GetOwnPropertyNames()...)
		}
		if !slices.Contains(names, e.name) {
			t.Errorf("scripts find no %s.%s", e.class, e.name)
		}
	}
}

var playwrights = regexp.MustCompile(`^playwright\.`)

// TestTableFitsPlaywright: each argument and each option is there in
// playwright-go, and of a type that its kind is for.
func TestTableFitsPlaywright(t *testing.T) {
	for _, e := range theTable().order {
		if !e.callable() {
			continue
		}
		if n := e.method.Type.NumIn(); n != len(e.args) {
			t.Errorf("%s: %d arguments, playwright-go takes %d", e, len(e.args), n)
			continue
		}
		for i, k := range e.args {
			in := e.method.Type.In(i)
			if e.method.Type.IsVariadic() && i == len(e.args)-1 {
				in = in.Elem()
				if k.options == nil && !k.rest {
					t.Errorf("%s: argument %d and those that follow are one", e, i)
				}
			}
			checkKind(t, e.String(), in, k)
		}
	}
}

// checkKind looks at what a kind is used for.
func checkKind(t *testing.T, where string, in reflect.Type, k kind) {
	if in.Kind() == reflect.Pointer || in.Kind() == reflect.Slice && in != bytesType && k.word != "plain" {
		checkKind(t, where, in.Elem(), k)
		return
	}
	ours := in.Kind() == reflect.Interface && playwrights.MatchString(in.String())
	ok := true
	switch k.word {
	case "plain":
		ok = in.Kind() != reflect.Func && !ours
		checkPlain(t, where, in, 0)
	case "options":
		if ok = in.Kind() == reflect.Struct; ok {
			checkOptions(t, where, in, k)
		}
	case "words", "match", "value", "files":
		ok = in == anyType
	case "handle":
		ok = ours || in == anyType
	case "func":
		ok = in.Kind() == reflect.Func
	case "code", "navigate", "read", "write", "har", "name", "command":
		ok = in.Kind() == reflect.String
	case "selector", "request":
		ok = in.Kind() == reflect.String || in == anyType
	case "proxy":
		ok = in == reflect.TypeFor[struct{}]() || in.Name() == "Proxy"
	}
	if !ok {
		t.Errorf("%s: %s can't be %s", where, in, k.word)
	}
}

func checkOptions(t *testing.T, where string, in reflect.Type, k kind) {
	fields := map[string]reflect.Type{}
	for i := range in.NumField() {
		fields[strings.ToLower(fieldName(in.Field(i)))] = in.Field(i).Type
	}
	for name, of := range k.options {
		f := fields[strings.ToLower(name)]
		if f == nil {
			t.Errorf("%s: playwright-go has no option %s", where, name)
			continue
		}
		if of.word == "plain" && leads(name) && !harmless[where+" "+name] {
			t.Errorf("%s: the option %s is plain, but sounds as if it led somewhere", where, name)
		}
		checkKind(t, where+" "+name, f, of)
	}
}

// leads tells names of what leads elsewhere.
func leads(name string) bool {
	return regexp.MustCompile(`(?i)path|dir$|file|url|proxy|executable|channel|args|env$`).MatchString(name)
}

// harmless are the members that only sound so.
var harmless = map[string]bool{
	"OptionalCookie path": true, "OptionalCookie url": true, "Cookie path": true,
}

// checkPlain looks into a type that is handed on as it is: nothing in it may
// lead elsewhere.
func checkPlain(t *testing.T, where string, in reflect.Type, depth int) {
	switch in.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		checkPlain(t, where, in.Elem(), depth)
	case reflect.Func, reflect.Chan:
		t.Errorf("%s: a %s is not plain", where, in)
	case reflect.Struct:
		for i := range in.NumField() {
			f := in.Field(i)
			if name := fieldName(f); leads(name) && !harmless[in.Name()+" "+name] {
				t.Errorf("%s: %s.%s sounds as if it led somewhere", where, in.Name(), name)
			}
			if depth < 8 {
				checkPlain(t, where, f.Type, depth+1)
			}
		}
	}
}

var (
	reDomain = regexp.MustCompile(`(?ms)^  export (?:module|namespace) (\w+) \{\n(.*?)^  \}\n`)
	reParams = regexp.MustCompile(`(?ms)^    export type (\w+)Parameters = \{\n(.*?)^    \}`)
	reParam  = regexp.MustCompile(`(?m)^ {6}(\w+)\??:`)
)

// TestCommandsAreComplete: of the protocol that belongs to the driver, each
// command is allowed or refused, and each parameter that sounds as if it led
// elsewhere is judged, or said to be harmless.
func TestCommandsAreComplete(t *testing.T) {
	file := strings.TrimSuffix(typesPath(t), "types.d.ts") + "protocol.d.ts"
	text, err := os.ReadFile(filepath.Clean(file))
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := regexp.MustCompile(`(?i)url|path|file|dir|target|contextid|proxy|origin|session|host|address|storagekey|handle|stream`)
	protocol := map[string]bool{}
	for _, d := range reDomain.FindAllStringSubmatch(string(text), -1) {
		for _, c := range reParams.FindAllStringSubmatch(d[2], -1) {
			name := d[1] + "." + c[1]
			protocol[name] = true
			known, ok := commands()[name]
			if !ok || known.why != "" {
				continue // the sets are compared below
			}
			for _, p := range reParam.FindAllStringSubmatch(c[2], -1) {
				if _, said := known.params[p[1]]; elsewhere.MatchString(p[1]) && !said {
					t.Errorf("%s: nothing is said of its parameter %s", name, p[1])
				}
			}
		}
	}
	if len(protocol) < 500 {
		t.Fatalf("only %d commands were found in %s", len(protocol), file)
	}
	if d := cmp.Diff(slices.Sorted(maps.Keys(protocol)), slices.Sorted(maps.Keys(commands()))); d != "" {
		t.Errorf("commands of the protocol (-) and of the list (+):\n%s", d)
	}
	for name, c := range commands() {
		if c.params == nil && len(c.why) < 10 {
			t.Errorf("%s is refused for no reason", name)
		}
	}
}

func TestTableIsThatOfTheTypes(t *testing.T) {
	text, err := os.ReadFile(typesPath(t))
	if err != nil {
		t.Fatal(err)
	}
	pipetest.Golden(t, "api.txt", ParseTypes(string(text)))
}
