package script

import (
	_ "embed"
	"reflect"
	"regexp"
	"strings"
	"sync"

	"github.com/playwright-community/playwright-go"
)

// apiTable is Playwright's JavaScript API: a line per member, "Page.goto
// async". It is generated from the types of playwright-core (a test compares
// them), and says what reflection can't: which methods answer at once.
//
//go:embed api.txt
var apiTable string

type member struct {
	class, name, kind string // kind: async, sync, prop
}

var members = sync.OnceValue(func() []member { return parseMembers(apiTable) })

func parseMembers(table string) []member {
	var list []member
	for line := range strings.Lines(table) {
		path, kind, ok := strings.Cut(strings.TrimSpace(line), " ")
		class, name, ok2 := strings.Cut(path, ".")
		if ok && ok2 {
			list = append(list, member{class, name, kind})
		}
	}
	return list
}

// classes are the interfaces of playwright-go behind the classes of the
// JavaScript API.
var classes = map[string]reflect.Type{
	"Page": reflect.TypeFor[playwright.Page](), "Frame": reflect.TypeFor[playwright.Frame](),
	"BrowserContext": reflect.TypeFor[playwright.BrowserContext](), "Browser": reflect.TypeFor[playwright.Browser](),
	"Worker": reflect.TypeFor[playwright.Worker](), "JSHandle": reflect.TypeFor[playwright.JSHandle](),
	"ElementHandle": reflect.TypeFor[playwright.ElementHandle](), "Locator": reflect.TypeFor[playwright.Locator](),
	"BrowserType": reflect.TypeFor[playwright.BrowserType](), "CDPSession": reflect.TypeFor[playwright.CDPSession](),
	"WebSocketRoute": reflect.TypeFor[playwright.WebSocketRoute](), "APIRequestContext": reflect.TypeFor[playwright.APIRequestContext](),
	"APIRequest": reflect.TypeFor[playwright.APIRequest](), "APIResponse": reflect.TypeFor[playwright.APIResponse](),
	"Clock": reflect.TypeFor[playwright.Clock](), "ConsoleMessage": reflect.TypeFor[playwright.ConsoleMessage](),
	"Dialog": reflect.TypeFor[playwright.Dialog](), "Download": reflect.TypeFor[playwright.Download](),
	"FileChooser": reflect.TypeFor[playwright.FileChooser](), "FrameLocator": reflect.TypeFor[playwright.FrameLocator](),
	"Keyboard": reflect.TypeFor[playwright.Keyboard](), "Mouse": reflect.TypeFor[playwright.Mouse](),
	"Request": reflect.TypeFor[playwright.Request](), "Response": reflect.TypeFor[playwright.Response](),
	"Route": reflect.TypeFor[playwright.Route](), "Selectors": reflect.TypeFor[playwright.Selectors](),
	"Touchscreen": reflect.TypeFor[playwright.Touchscreen](), "Tracing": reflect.TypeFor[playwright.Tracing](),
	"Video": reflect.TypeFor[playwright.Video](), "WebError": reflect.TypeFor[playwright.WebError](),
	"WebSocket":         reflect.TypeFor[playwright.WebSocket](),
	"LocatorAssertions": reflect.TypeFor[playwright.LocatorAssertions](), "PageAssertions": reflect.TypeFor[playwright.PageAssertions](),
	"APIResponseAssertions": reflect.TypeFor[playwright.APIResponseAssertions](),
}

// concrete maps playwright-go's unexported types to their classes where the
// name does not tell.
var concrete = map[string]string{
	"tracingImpl": "Tracing", "routeImpl": "Route", "videoImpl": "Video", "apiRequestContextImpl": "APIRequestContext",
	"apiResponseImpl": "APIResponse", "apiRequestImpl": "APIRequest", "jsHandleImpl": "JSHandle", "cdpSessionImpl": "CDPSession",
	"webSocketImpl": "WebSocket", "webSocketRouteImpl": "WebSocketRoute", "touchscreenImpl": "Touchscreen",
	"serverWebSocketRouteImpl": "WebSocketRoute", "apiResponseAssertionsImpl": "APIResponseAssertions",
}

// classOf names the class of a value of playwright-go, or of one of the host's
// that says so itself; "" if it is none.
func classOf(v any) string {
	if own, ok := v.(interface{ ScriptClass() string }); ok {
		return own.ScriptClass()
	}
	t := reflect.TypeOf(v)
	if t == nil || t.Kind() != reflect.Pointer || !strings.HasSuffix(t.Elem().Name(), "Impl") && !strings.HasSuffix(t.Elem().Name(), "impl") {
		return ""
	}
	name := t.Elem().Name()
	if c := concrete[name]; c != "" {
		return c
	}
	c := strings.ToUpper(name[:1]) + strings.TrimSuffix(name[1:], "Impl")
	if _, ok := classes[c]; ok {
		return c
	}
	return ""
}

// goNames are the methods whose names differ by more than their case.
var goNames = map[string]string{
	"$": "QuerySelector", "$$": "QuerySelectorAll", "$eval": "EvalOnSelector", "$$eval": "EvalOnSelectorAll", "jsonValue": "JSONValue",
	"setExtraHTTPHeaders": "SetExtraHTTPHeaders",
}

// goMethod finds the method of playwright-go behind a name of the JavaScript
// API.
func goMethod(t reflect.Type, name string) (reflect.Method, bool) {
	if g := goNames[name]; g != "" {
		return t.MethodByName(g)
	}
	for i := range t.NumMethod() {
		if m := t.Method(i); strings.EqualFold(m.Name, name) {
			return m, true
		}
	}
	return reflect.Method{}, false
}

var (
	reComment = regexp.MustCompile(`(?s)/\*.*?\*/`)
	reOpen    = regexp.MustCompile(`^export interface (\w+)`)
	reMember  = regexp.MustCompile(`^  (readonly )?([$\w]+)(?:<.*?>)?(\(|\??:)`)
)

// ParseTypes reads the members of the API's classes from the text of
// playwright-core's types.d.ts, in the form of the table.
func ParseTypes(text string) string {
	var out strings.Builder
	done := map[string]bool{}
	class, depth := "", 0
	var pending, declared string // a member whose declaration goes on in the next lines
	for line := range strings.Lines(reComment.ReplaceAllString(text, "")) {
		if depth == 0 {
			class = ""
			if m := reOpen.FindStringSubmatch(line); m != nil && classWanted(m[1]) {
				class = m[1]
			}
		}
		if depth == 1 && class != "" && pending == "" {
			if m := reMember.FindStringSubmatch(line); m != nil {
				pending, declared = class+"."+m[2], ""
				if m[1] != "" || m[3] != "(" {
					writeMember(&out, done, pending, "prop")
					pending = ""
				}
			}
		}
		depth += strings.Count(line, "{") - strings.Count(line, "}")
		declared += line
		if pending != "" && depth == 1 && strings.HasSuffix(strings.TrimSpace(line), ";") {
			kind := "sync"
			if strings.HasPrefix(result(declared), "Promise<") {
				kind = "async"
			}
			writeMember(&out, done, pending, kind)
			pending = ""
		}
	}
	return out.String()
}

// result is the type that a method's declaration ends with.
func result(declaration string) string {
	depth := 0
	for i, c := range declaration {
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(declaration[i+1:]), ":"))
			}
		}
	}
	return ""
}

func writeMember(out *strings.Builder, done map[string]bool, path, kind string) {
	if !done[path] {
		done[path] = true
		out.WriteString(path + " " + kind + "\n")
	}
}

// foreign are interfaces of the types that are no part of driving a browser.
var foreign = regexp.MustCompile(`^(Electron|Android|Chromium|Firefox|WebKit|BrowserServer|Logger)|Options$|^(ViewportSize|HTTPCredentials|Geolocation|Cookie)$`)

func classWanted(name string) bool { return !foreign.MatchString(name) }
