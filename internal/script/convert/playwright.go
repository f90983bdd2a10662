package convert

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// playwright is the code of a step on Playwright itself. pwpipe takes the first of several
// elements, and dismisses dialogs; so does the program.
func playwright(s Step) (string, error) {
	name := s.Page
	if s.Tool == "close-page" {
		name = s.get("pid")
	}
	code, err := playwrightStep(s)
	if err != nil || name == "" || name == "p1" {
		return code, err
	}
	number := rePage.FindStringSubmatch(name)
	if number == nil {
		return "", s.errorf("there is no Playwright code for a page with the name %q", name)
	}
	return "await on(" + number[1] + ", async (page) => { " + code + " });", nil
}

// rePage is the handle of a page. They are given in the order in which pages open.
var rePage = regexp.MustCompile(`^p([1-9]\d{0,2})$`)

// simple are tools whose code is one call. {l} is the locator, {name} a parameter, {t} the
// timeout's option.
var simple = map[string]string{
	"nav": "await page.goto({url}{, t});", "goto": "await page.goto({url}{, t});",
	"click": "await {l}.click({t});", "dclick": "await {l}.dblclick({t});", "tap": "await {l}.tap({t});",
	"fill": "await {l}.fill({val}{, t});", "clear": "await {l}.clear({t});",
	"check": "await {l}.check({t});", "uncheck": "await {l}.uncheck({t});", "hover": "await {l}.hover({t});",
	"sel": "await choose({l}, {val}{, t});", "focus": "await {l}.focus({t});", "blur": "await {l}.blur({t});",
	"type": "await {l}.pressSequentially({text}{, t});", "upload": "await {l}.setInputFiles({files}{, t});",
	"back": "await page.goBack({t});", "forward": "await page.goForward({t});", "reload": "await page.reload({t});",
	"front": "await page.bringToFront();", "shot": "await page.screenshot({ path: {path} });",
	"txt": "console.log(await {l}.textContent({t}));", "attr": "console.log(await {l}.getAttribute({name}{, t}));",
	"html": "console.log(await {l}.innerHTML({t}));", "vis": "console.log(await {l}.isVisible());",
	"value": "console.log(await {l}.inputValue({t}));", "text": "console.log(await page.locator('body').innerText({t}));",
	"title": "console.log(await page.title());", "url": "console.log(page.url());",
	"eval": "console.log(await page.evaluate({code}));", "close-page": "await page.close();",
	"press": "await page.keyboard.press({key});", "wait": "await {l}.waitFor({ state: {state}{, timeout} });",
	"dialog": "answers.push((dialog) => dialog.{action}({text}));", "rclick": "await {l}.click({how});",
	"mouse-click": "await page.mouse.click({x}, {y}{, how});",
}

// onElement is the code of tools with a selector. Without one they do something else.
var onElement = map[string]string{
	"press": "await {l}.press({key}{, t});", "text": "console.log(await {l}.innerText({t}));",
	"download": "await Promise.all([page.waitForEvent('download'), {l}.click({t})])" +
		".then(async ([download]) => console.log(await download.path()));",
}

// conditions are what the tools of profile check wait for.
var conditions = map[string]string{
	"expect-text": "flat(await {l}.textContent()){=text}", "expect-value": "(await {l}.inputValue()){=value}",
	"expect-attr":    "(await {l}.getAttribute({name}) ?? ''){=value}",
	"expect-visible": "await {l}.isVisible()", "expect-hidden": "!(await {l}.isVisible())",
	"expect-checked": "await {l}.isChecked()", "expect-enabled": "await {l}.isEnabled()",
	"expect-focused":  "await {l}.evaluate((e) => e === document.activeElement)",
	"expect-snapshot": "holdsLines(await {l}.ariaSnapshot(), {snapshot})",
	"expect-count":    "await {all}.count() === {count}",
	"expect-title":    "flat(await page.title()){=title}",
	"expect-url":      "(page.url()){=url}",
}

// known are the parameters besides that the code heeds.
var known = map[string]bool{"sel": true, "mode": true, "not": true, "state": true, "key": true, "path": true, "action": true, "text": true,
	"pid": true, "button": true, "keys": true, "count": true}

func playwrightStep(s Step) (string, error) {
	code, expects := simple[s.Tool], conditions[s.Tool]
	if s.get("sel") != "" {
		code = cmp.Or(onElement[s.Tool], code)
	}
	if s.Tool == "expect-snapshot" && rePattern.MatchString(s.get("snapshot")) {
		return "", s.errorf("there is no Playwright code for a snapshot with a pattern")
	}
	if expects != "" {
		if string(s.raw("not")) == "true" {
			expects = "!(" + expects + ")"
		}
		code = "await holds({what}, async () => " + expects + ");"
	}
	if code == "" {
		return "", s.errorf("there is no Playwright code for this tool; --to node, python or bash keep it as it is")
	}
	for _, p := range s.Params {
		if !known[p.Name] && !strings.Contains(code, "{"+p.Name+"}") && !strings.Contains(code, "{="+p.Name+"}") {
			return "", s.errorf("there is no Playwright code for %q", p.Name)
		}
	}
	return s.filledIn(code)
}

var (
	rePlace = regexp.MustCompile(`\{([=,]? ?[a-z]+)\}`)
	// rePattern finds a pattern in a snapshot.
	rePattern = regexp.MustCompile(`(?m)^\s*- (?:[a-z]+ |text: )/`)
)

// how is which button is pressed how often, with which keys held, as an option.
func (s Step) how() string {
	button, options := string(s.raw("button")), ""
	if button == "null" && s.Tool == "rclick" {
		button = `"right"`
	}
	for _, o := range []struct {
		name  string
		value string
	}{{"button", button}, {"modifiers", string(s.raw("keys"))}, {"clickCount", string(s.raw("count"))}} {
		if o.value != "null" {
			options += ", " + o.name + ": " + o.value
		}
	}
	if s.Timeout > 0 && s.Tool == "rclick" {
		options += fmt.Sprintf(", timeout: %g", s.Timeout*1000)
	}
	if options == "" {
		return ""
	}
	return "{ " + options[len(", "):] + " }"
}

func (s Step) filledIn(code string) (string, error) {
	var failed error
	out := rePlace.ReplaceAllStringFunc(code, func(place string) string {
		name := place[1 : len(place)-1]
		ms := fmt.Sprintf("timeout: %g", s.Timeout*1000)
		switch {
		case name == "l" || name == "all":
			if len(s.Selector) == 0 {
				failed = s.errorf("there is no Playwright code for it without a selector")
			}
			return locatorOf(s.Selector, name == "l")
		case name == "how":
			return s.how()
		case name == ", how":
			return strings.TrimSuffix(", "+s.how(), ", ")
		case (name == "t" || name == ", t" || name == ", timeout") && s.Timeout == 0:
			return ""
		case name == "what":
			return text(s.Tool + " " + s.object())
		case name == "t":
			return "{ " + ms + " }"
		case name == ", t":
			return ", { " + ms + " }"
		case name == ", timeout":
			return ", " + ms
		case name == "action":
			if strings.HasPrefix(s.get("action"), "a") {
				return "accept"
			}
			return "dismiss"
		case name == "state" && s.get("state") == "":
			return `"visible"`
		case name == "text" && s.Tool == "dialog" && s.get("text") == "":
			return ""
		case strings.HasPrefix(name, "="):
			return s.compared(name[1:])
		}
		return value(s.raw(name))
	})
	return out, failed
}

// compared is a comparison in the mode that was asked for.
func (s Step) compared(param string) string {
	want := value(s.raw(param))
	switch s.get("mode") {
	case "contains":
		return ".includes(" + want + ")"
	case "matches":
		return ".match(new RegExp(" + want + "))"
	}
	if param == "url" {
		return " === new URL(" + want + ", process.argv[2]).href"
	}
	return " === " + want
}

var reSecret = regexp.MustCompile(`^\{\{([A-Za-z_]\w*)\}\}$`)

// value is JSON as JavaScript. The name of a secret becomes a variable of the environment.
func value(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		if m := reSecret.FindStringSubmatch(s); m != nil {
			return "process.env." + m[1]
		}
	}
	return string(raw)
}

var (
	reRole = regexp.MustCompile(`^(?:internal:)?role=([\w-]+)(?:\[name(\*?)=("(?:[^"\\]|\\.)*")([is]?)\])?$`)
	reText = regexp.MustCompile(`^internal:(label|text)=("(?:[^"\\]|\\.)*")([is])$`)
	reAttr = regexp.MustCompile(`^internal:(?:attr|testid)=\[(placeholder|alt|title|data-testid)=("(?:[^"\\]|\\.)*")([is])\]$`)
	reNth  = regexp.MustCompile(`^nth=(-?\d+)$`)
	by     = map[string]string{"label": "getByLabel", "text": "getByText", "placeholder": "getByPlaceholder",
		"alt": "getByAltText", "title": "getByTitle", "data-testid": "getByTestId"}
)

func locatorOf(parts []string, first bool) string {
	code, last := "page", ""
	for _, part := range parts {
		last = strings.TrimSpace(part)
		code += locatorPart(last)
	}
	if first && !reNth.MatchString(last) {
		code += ".first()"
	}
	return code
}

func locatorPart(part string) string {
	if m := reRole.FindStringSubmatch(part); m != nil {
		internal := strings.HasPrefix(part, "internal:")
		switch {
		case m[3] == "":
			return ".getByRole(" + text(m[1]) + ")"
		case m[2] == "*" && m[4] == "i", internal && m[4] == "i" && m[2] == "":
			return ".getByRole(" + text(m[1]) + ", { name: " + m[3] + " })"
		case m[2] == "" && m[4] != "i":
			return ".getByRole(" + text(m[1]) + ", { name: " + m[3] + ", exact: true })"
		}
	}
	m := reText.FindStringSubmatch(part)
	if m == nil {
		m = reAttr.FindStringSubmatch(part)
	}
	switch {
	case m != nil && m[3] == "s" && m[1] != "data-testid":
		return "." + by[m[1]] + "(" + m[2] + ", { exact: true })"
	case m != nil:
		return "." + by[m[1]] + "(" + m[2] + ")"
	case part == "internal:control=enter-frame":
		return ".contentFrame()"
	}
	if m := reNth.FindStringSubmatch(part); m != nil {
		return ".nth(" + m[1] + ")"
	}
	return ".locator(" + text(part) + ")"
}
