package script

import (
	"reflect"
	"slices"
	"strings"
	"time"
)

// Call is one call of a method of playwright-go's, by the road that the prelude
// itself has. An argument {"$": "WORD"} is for the script to put in.
type Call struct {
	Class  string `json:"cls"`
	Member string `json:"name"`
	Args   []any  `json:"args"`
	Exists bool   `json:"exists"` // the table has it; else it must be refused
}

// stand is what stands in an argument for a value that the script has.
func stand(word string) any { return map[string]any{"$": word} }

// Hostile are what each place is given in turn: files and places outside of the
// allowed folders, addresses that the policy forbids, another session's objects,
// and what was made to look like an object.
// The first are a file, a host and an object, for every place; all are for
// places where more is done with a value than to pass it on.
var Hostile = []string{"SECRET", "FORBIDDEN", "FOREIGN", "NEWFILE", "MADE", "CLIMBING", "LINKED", "FILEURL", "NAMED", "PROXIED"}

const (
	everywhere = 3
	ofEachSort = 5
)

// passedOn are kinds that lead nowhere by themselves.
var passedOn = map[string]bool{"": true, "plain": true, "words": true, "func": true, "ignored": true}

// Calls are the calls that the wall is tried with: each method of each class,
// with each hostile value once in each place of its arguments, and beside it
// what a user would give. Names that scripts can't call are tried with hostile
// values in all places.
func Calls() []Call {
	var list []Call
	for class, t := range classes {
		known := map[string]bool{}
		for _, e := range theTable().order {
			switch {
			case e.class != class && e.class != parents[class]:
			case e.callable():
				list = append(list, callsOf(class, e)...)
			default:
				list = append(list, refusedCalls(class, e.name, 2)...)
			}
			known[e.name] = known[e.name] || e.class == class && e.callable()
		}
		for i := range t.NumMethod() {
			name := t.Method(i).Name
			for _, name := range []string{name, lowerFirst(name)} {
				if e := theTable().find(class, name); e == nil {
					list = append(list, refusedCalls(class, name, t.Method(i).Type.NumIn())...)
				}
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Call) int { return strings.Compare(a.Class, b.Class) })
	return list
}

// refusedCalls are of a name that there is not: nothing of it may be done.
func refusedCalls(class, name string, places int) []Call {
	var list []Call
	for _, word := range []string{"SECRET", "NEWFILE", "FORBIDDEN", "FOREIGN", "MADE"} {
		args := slices.Repeat([]any{stand(word)}, max(places, 1))
		args[len(args)-1] = map[string]any{"path": stand(word), "url": stand(word), "executablePath": stand("PROGRAM")}
		list = append(list, Call{class, name, args, false}, Call{class, name, []any{stand(word)}, false})
	}
	return list
}

func callsOf(class string, e *entry) []Call {
	usual := []any{}
	for i := range e.args {
		usual = append(usual, ordinary(e, i))
	}
	add := func(list []Call, args []any) []Call { return append(list, Call{class, e.name, args, true}) }
	list := add(nil, usual)
	for i, k := range e.args {
		t := plainType(e, i)
		for n, word := range Hostile {
			if n >= ofEachSort && e.class == "Browser" {
				break // it opens a context, which takes long, and has some fifty options
			}
			for _, v := range hostileIn(t, word, k) {
				if o, ok := v.(map[string]any); ok && o["timeout"] == 100 && !strings.HasSuffix(class, "Assertions") && !strings.HasPrefix(e.name, "waitFor") {
					o["timeout"] = 2000 // it acts at once, but not on every machine
				}
				args := slices.Clone(usual)
				args[i] = v
				list = add(list, args)
			}
		}
	}
	for _, more := range together[e.class+"."+e.name] {
		list = add(list, more)
	}
	return list
}

// plainType is what an argument is, without what playwright-go wraps it in.
func plainType(e *entry, i int) reflect.Type {
	t := e.method.Type.In(i)
	if e.method.Type.IsVariadic() && i == e.method.Type.NumIn()-1 {
		t = t.Elem()
	}
	return t
}

// hostileIn has a value in each place of an argument in turn. Numbers and
// switches, which hold no text, have it all at once.
func hostileIn(t reflect.Type, word string, k kind) []any {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice && t != bytesType {
		t = t.Elem()
	}
	v := stand(word)
	few := slices.Index(Hostile, word) >= everywhere
	if few && k.options == nil && (passedOn[k.word] || noText(t)) {
		return nil
	}
	if t.Kind() == reflect.Map {
		return []any{v, map[string]any{"a": v}}
	}
	if t.Kind() == reflect.Interface && t.NumMethod() == 0 {
		return []any{v, []any{map[string]any{"path": v, "name": "n", "buffer": v, "url": v}}}
	}
	if t.Kind() == reflect.Interface {
		return []any{stand(word + " " + t.Name())} // an object of this class
	}
	if t.Kind() != reflect.Struct || t == reflect.TypeFor[time.Time]() {
		return []any{v}
	}
	var list []any
	numbers := map[string]any{}
	for i := range t.NumField() {
		name := fieldName(t.Field(i))
		if noText(t.Field(i).Type) {
			numbers[name] = v
			continue
		}
		for _, inner := range hostileIn(t.Field(i).Type, word, k.options[name]) {
			o := map[string]any{name: inner}
			if _, waits := t.FieldByName("Timeout"); waits && name != "timeout" {
				o["timeout"] = 100
			}
			list = append(list, o)
		}
	}
	if len(numbers) > 0 && !few {
		list = append(list, numbers)
	}
	return list
}

func noText(t reflect.Type) bool {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Kind() == reflect.Bool || t.Kind() >= reflect.Int && t.Kind() <= reflect.Float64
}

// ordinary is what a user would give for an argument.
func ordinary(e *entry, i int) any {
	if v, ok := usually[e.class+"."+e.name]; ok && i < len(v) {
		return v[i]
	}
	if v, ok := usually[e.name]; ok && i < len(v) {
		return v[i]
	}
	t, k := plainType(e, i), e.args[i]
	if k.options != nil {
		if _, waits := t.FieldByName("Timeout"); waits {
			return map[string]any{"timeout": 100}
		}
		return map[string]any{}
	}
	if v, ok := ordinaryOf[k.word]; ok {
		return v
	}
	if k.word == "handle" {
		return stand("OWN " + t.Name())
	}
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	switch {
	case noText(t) && t.Kind() != reflect.Bool:
		return 1
	case noText(t):
		return true
	case t.Kind() == reflect.Struct || t.Kind() == reflect.Map:
		return map[string]any{}
	}
	return "x"
}

// ordinaryOf are values of each kind.
var ordinaryOf = map[string]any{"words": "b", "match": "**/nowhere", "value": 1, "code": "() => 1", "selector": "#b", "func": stand("FUNCTION"),
	"navigate": "/form", "request": "/form", "read": stand("ALLOWED"), "write": stand("ALLOWEDNEW"), "har": stand("HAR"), "files": stand("ALLOWED"),
	"name": "n", "command": "Page.getFrameTree"}

// usually are the arguments that a member needs so that it does something.
var usually = map[string][]any{
	"exposeFunction": {stand("NAME")}, "exposeBinding": {stand("NAME")}, "fill": {"#t", "x"}, "ElementHandle.fill": {"x"}, "Locator.fill": {"x"},
	"press": {"#t", "a"}, "ElementHandle.press": {"a"}, "Locator.press": {"a"}, "Keyboard.press": {"a"}, "Keyboard.down": {"a"}, "Keyboard.up": {"a"},
	"getByRole": {"button"}, "check": {"#c"}, "uncheck": {"#c"}, "setChecked": {"#c", true}, "ElementHandle.waitForElementState": {"visible"},
	"isChecked": {"#c"}, "inputValue": {"#t"}, "grantPermissions": {[]any{"geolocation"}}, "setGeolocation": {map[string]any{"latitude": 1, "longitude": 1}},
	"addCookies": {[]any{map[string]any{"name": "a", "value": "b", "domain": "127.0.0.1", "path": "/"}}}, "setContent": {"<p>x</p>"}, "dragAndDrop": {"#b", "#t"},
	"CDPSession.send": {"Page.getFrameTree", map[string]any{}}, "goto": {"/form"}, "Frame.waitForFunction": {"() => 1"}, "waitForTimeout": {1}, "clock.install": {map[string]any{}},
	"newCDPSession": {stand("OWN Page")}, "setViewportSize": {600, 400},
}

// together are the calls in which two arguments name something only together.
var together = map[string][][]any{
	"Page.routeFromHAR":            {{stand("NEWFILE"), map[string]any{"update": true}}, {stand("WITHFILE")}},
	"BrowserContext.routeFromHAR":  {{stand("NEWFILE"), map[string]any{"update": true}}, {stand("WITHFILE")}},
	"BrowserContext.newCDPSession": {{stand("FOREIGN Page")}, {stand("FOREIGN Frame")}, {stand("TARGETID")}},
	"Browser.newContext":           {{map[string]any{"recordVideo": map[string]any{"dir": stand("OUTSIDE")}}}, {map[string]any{"proxy": map[string]any{"server": stand("FORBIDDEN"), "bypass": "127.0.0.1"}}}},
	"CDPSession.send": {
		{"Page.navigate", map[string]any{"url": stand("FORBIDDEN")}}, {"Page.navigate", map[string]any{"url": stand("FILEURL")}},
		{"Browser.setDownloadBehavior", map[string]any{"behavior": "allow", "downloadPath": stand("OUTSIDE")}}, {"DOM.setFileInputFiles", map[string]any{"files": []any{stand("SECRET")}, "nodeId": 1}},
		{"Target.attachToTarget", map[string]any{"targetId": stand("TARGETID"), "flatten": true}}, {"Target.getTargets", map[string]any{}}, {"Storage.getCookies", map[string]any{"browserContextId": stand("CONTEXTID")}},
		{"Target.closeTarget", map[string]any{"targetId": stand("TARGETID")}}, {"Target.createTarget", map[string]any{"url": stand("FORBIDDEN")}}, {"Network.loadNetworkResource", map[string]any{"url": stand("FILEURL"), "options": map[string]any{}}},
		{"Browser.close", map[string]any{}}, {"Browser.crash", map[string]any{}}, {"Page.captureSnapshot", map[string]any{}}, {"Tracing.start", map[string]any{}},
	},
}
