package playwrightmcp

import (
	"slices"
	"strings"
	"unicode"
)

// dialect writes statements in one language.
type dialect struct {
	wait, end    string              // around a statement
	name         func(string) string // of a method, as the language writes names
	suffix       string              // of methods that act or check
	check        [2]string           // around the element of a check
	methods      map[string]string   // names that are others than name makes
	properties   []string            // methods that are properties here
	secret       [2]string           // around the name of a variable of the environment
	list         func(option string, of []string) string
	role         func(string) string // of getByRole
	option       func(name, value string) string
	options      func(owner, method string, all []string) string
	not          string
	enum         func(option, value string) string // a value of button or modifiers
	capitalBools bool                              // True, False
}

var dialects = map[string]*dialect{
	"python": {
		name: snake, check: [2]string{"expect(", ")"}, properties: []string{"first", "last", "contentFrame"},
		secret: [2]string{`os.environ["`, `"]`}, role: inQuotes, not: "not_", capitalBools: true,
		list:    func(_ string, of []string) string { return "[" + strings.Join(of, ", ") + "]" },
		option:  func(name, value string) string { return snake(name) + "=" + value },
		options: func(_, _ string, all []string) string { return strings.Join(all, ", ") },
	},
	"java": {
		end: ";", name: func(name string) string { return name }, check: [2]string{"assertThat(", ")"},
		methods: map[string]string{"goto": "navigate", "toBeVisible": "isVisible", "toHaveValue": "hasValue",
			"toBeChecked": "isChecked", "toMatchAriaSnapshot": "matchesAriaSnapshot"},
		secret: [2]string{`System.getenv("`, `")`},
		role:   func(role string) string { return "AriaRole." + strings.ToUpper(role) }, not: "not().",
		list: func(option string, of []string) string {
			if option == "modifiers" {
				return "Arrays.asList(" + strings.Join(of, ", ") + ")"
			}
			return "new String[] {" + strings.Join(of, ", ") + "}"
		},
		enum:   func(option, value string) string { return enums[option] + "." + strings.ToUpper(value) },
		option: func(name, value string) string { return ".set" + pascal(name) + "(" + value + ")" },
		options: func(owner, method string, all []string) string {
			return "new " + owner + "." + pascal(method) + "Options()" + strings.Join(all, "")
		},
	},
	"csharp": {
		wait: "await ", end: ";", name: pascal, suffix: "Async", check: [2]string{"Expect(", ")"},
		methods: map[string]string{"dblclick": "DblClick"}, properties: []string{"first", "last", "contentFrame"},
		secret: [2]string{`Environment.GetEnvironmentVariable("`, `")`},
		role:   func(role string) string { return "AriaRole." + pascal(role) }, not: "Not.",
		list:    func(_ string, of []string) string { return "new[] { " + strings.Join(of, ", ") + " }" },
		enum:    func(option, value string) string { return enums[option] + "." + pascal(value) },
		option:  func(name, value string) string { return pascal(name) + " = " + value },
		options: func(_, _ string, all []string) string { return "new() { " + strings.Join(all, ", ") + " }" },
	},
}

// checks lists the checks that are written in all languages.
var checks = []string{"toBeVisible", "toHaveValue", "toBeChecked", "toMatchAriaSnapshot"}

// acts lists the methods that are.
var acts = []string{"goto", "click", "dblclick", "hover", "check", "uncheck", "fill", "press", "selectOption"}

// finds lists the methods that find elements.
var finds = []string{"getByRole", "getByText", "getByLabel", "getByPlaceholder", "getByAltText", "getByTitle",
	"getByTestId", "locator", "first", "last", "nth", "filter", "contentFrame"}

// statement writes a statement; ok is false for one that stays as it is.
func (d *dialect) statement(s statement) (made string, ok bool) {
	subject, owner := "page", "Page"
	for _, l := range s.element {
		if !slices.Contains(finds, l.method) {
			return "", false
		}
		subject += "." + d.find(l, owner)
		if owner = "Locator"; l.method == "contentFrame" {
			owner = "FrameLocator"
		}
	}
	if s.check {
		if !slices.Contains(checks, s.method) || len(s.element) == 0 {
			return "", false
		}
		subject = d.check[0] + subject + d.check[1] + "."
		if s.not {
			subject += d.not
		}
		return d.wait + subject + d.method(s.method) + d.suffix + "(" + d.args(s.link, "") + ")" + d.end, true
	}
	if !slices.Contains(acts, s.method) || (s.method == "goto") != (len(s.element) == 0) {
		return "", false
	}
	return d.wait + subject + "." + d.method(s.method) + d.suffix + "(" + d.args(s.link, owner) + ")" + d.end, true
}

func (d *dialect) method(name string) string {
	if other := d.methods[name]; other != "" {
		return other
	}
	return d.name(name)
}

// find writes one call that finds elements. owner is the class that has the method.
func (d *dialect) find(l link, owner string) string {
	if slices.Contains(d.properties, l.method) {
		return d.method(l.method)
	}
	return d.method(l.method) + "(" + d.args(l, owner) + ")"
}

// args writes the arguments of a call.
func (d *dialect) args(l link, owner string) string {
	var list []string
	for i, v := range l.args {
		o, isOptions := v.(options)
		switch role, isText := v.(string); {
		case isOptions:
			var all []string
			for _, m := range o {
				all = append(all, d.option(m.name, d.value(m.name, m.value)))
			}
			list = append(list, d.options(owner, l.method, all))
		case isText && i == 0 && l.method == "getByRole":
			list = append(list, d.role(role))
		default:
			list = append(list, d.value("", v))
		}
	}
	return strings.Join(list, ", ")
}

// value writes a value. option is the name of the option that has it, "" for none.
func (d *dialect) value(option string, v literalValue) string {
	switch v := v.(type) {
	case string:
		if d.enum != nil && (option == "button" || option == "modifiers") {
			return d.enum(option, v)
		}
		return inQuotes(v)
	case environment:
		return d.secret[0] + string(v) + d.secret[1]
	case bare:
		if d.capitalBools && (v == "true" || v == "false") {
			return pascal(string(v))
		}
		return string(v)
	case []literalValue:
		var all []string
		for _, one := range v {
			all = append(all, d.value(option, one))
		}
		return d.list(option, all)
	}
	return ""
}

// snake writes getByRole as get_by_role.
func snake(name string) string {
	var b strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// pascal writes getByRole as GetByRole.
func pascal(name string) string {
	if name == "" {
		return ""
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

// enums maps options to the types of their values.
var enums = map[string]string{"button": "MouseButton", "modifiers": "KeyboardModifier"}
