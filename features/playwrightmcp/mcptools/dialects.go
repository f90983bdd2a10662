package mcptools

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// dialect writes statements in one language.
type dialect struct {
	around       [2]string           // a statement
	name         func(string) string // of a method, as the language writes names; nil: as Playwright's own
	suffix       string              // of methods that act or check
	check        [3]string           // around the element of a check, and what negates it
	methods      map[string]string   // names that are others than name makes
	properties   []string            // methods that are properties here
	secret       [2]string           // around the name of a variable of the environment
	text, block  func(string) string // a text, and one of several lines
	list         func(option string, of []string) string
	role         func(string) string // of getByRole
	option       func(name, value string) string
	options      func(owner, method string, all []string) string
	enum         func(option, value string) string // a value of button or modifiers
	capitalBools bool                              // True, False
}

// typescript writes code as Playwright MCP does.
var typescript = &dialect{
	around: [2]string{"await ", ";"}, check: [3]string{"expect(", ")", "not."},
	secret: [2]string{"process.env['", "']"},
	text:   quote, block: func(text string) string { return "`" + text + "`" }, role: quote,
	list:   func(_ string, of []string) string { return "[" + strings.Join(of, ", ") + "]" },
	option: func(name, value string) string { return name + ": " + value },
	options: func(_, method string, all []string) string {
		if method == "click" || method == "dblclick" {
			return "{\n  " + strings.Join(all, ",\n  ") + "\n}"
		}
		return "{ " + strings.Join(all, ", ") + " }"
	},
}

// dialects are the values of --codegen, except for none.
var dialects = map[string]*dialect{
	"": typescript, "typescript": typescript,
	"python": {
		name: snake, check: [3]string{"expect(", ")", "not_"}, properties: []string{"first", "last", "contentFrame"},
		secret: [2]string{`os.environ["`, `"]`}, text: inQuotes, block: inQuotes, role: inQuotes, capitalBools: true,
		list:    func(_ string, of []string) string { return "[" + strings.Join(of, ", ") + "]" },
		option:  func(name, value string) string { return snake(name) + "=" + value },
		options: func(_, _ string, all []string) string { return strings.Join(all, ", ") },
	},
	"java": {
		around: [2]string{"", ";"}, check: [3]string{"assertThat(", ")", "not()."},
		methods: map[string]string{"goto": "navigate", "toBeVisible": "isVisible", "toHaveValue": "hasValue",
			"toBeChecked": "isChecked", "toMatchAriaSnapshot": "matchesAriaSnapshot"},
		secret: [2]string{`System.getenv("`, `")`}, text: inQuotes, block: inQuotes,
		role: func(role string) string { return "AriaRole." + strings.ToUpper(role) },
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
		around: [2]string{"await ", ";"}, name: pascal, suffix: "Async", check: [3]string{"Expect(", ")", "Not."},
		methods: map[string]string{"dblclick": "DblClick"}, properties: []string{"first", "last", "contentFrame"},
		secret: [2]string{`Environment.GetEnvironmentVariable("`, `")`}, text: inQuotes, block: inQuotes,
		role:    func(role string) string { return "AriaRole." + pascal(role) },
		list:    func(_ string, of []string) string { return "new[] { " + strings.Join(of, ", ") + " }" },
		enum:    func(option, value string) string { return enums[option] + "." + pascal(value) },
		option:  func(name, value string) string { return pascal(name) + " = " + value },
		options: func(_, _ string, all []string) string { return "new() { " + strings.Join(all, ", ") + " }" },
	},
}

// lines writes statements, each as a line.
func (d *dialect) lines(code []statement) (lines []string) {
	for _, s := range code {
		lines = append(lines, d.statement(s))
	}
	return lines
}

func (d *dialect) statement(s statement) string {
	if s.text != "" {
		return s.text
	}
	subject := "page" + d.chain(s.element)
	if s.check {
		subject = d.check[0] + subject + d.check[1]
	}
	subject += "."
	if s.not {
		subject += d.check[2]
	}
	args := d.args(s.link, s.element.owner())
	return d.around[0] + subject + d.method(s.method) + d.suffix + "(" + args + ")" + d.around[1]
}

// chain writes the calls that find an element, each after a dot.
func (d *dialect) chain(ch chain) (code string) {
	for i, l := range ch {
		code += "." + d.method(l.method)
		if !slices.Contains(d.properties, l.method) {
			code += "(" + d.args(l, ch[:i].owner()) + ")"
		}
	}
	return code
}

// owner is the class that has the methods to call next.
func (ch chain) owner() string {
	switch {
	case len(ch) == 0:
		return "Page"
	case ch[len(ch)-1].method == "contentFrame":
		return "FrameLocator"
	}
	return "Locator"
}

func (d *dialect) method(name string) string {
	if other := d.methods[name]; other != "" || d.name == nil {
		return cmp.Or(other, name)
	}
	return d.name(name)
}

// args writes the arguments of a call. owner is the class that has the method.
func (d *dialect) args(l link, owner string) string {
	var list []string
	for _, v := range l.args {
		if o, isOptions := v.(options); !isOptions {
			list = append(list, d.value("", v))
		} else if len(o) > 0 {
			var all []string
			for _, m := range o {
				all = append(all, d.option(m.name, d.value(m.name, m.value)))
			}
			list = append(list, d.options(owner, l.method, all))
		}
	}
	return strings.Join(list, ", ")
}

// value writes a value. option is the name of the option that has it, "" for none.
func (d *dialect) value(option string, v any) string {
	switch v := v.(type) {
	case string:
		if d.enum != nil && (option == "button" || option == "modifiers") {
			return d.enum(option, v)
		}
		return d.text(v)
	case block:
		return d.block(string(v))
	case role:
		return d.role(string(v))
	case environment:
		return d.secret[0] + string(v) + d.secret[1]
	case []string:
		var all []string
		for _, one := range v {
			all = append(all, d.value(option, one))
		}
		return d.list(option, all)
	case bool:
		if d.capitalBools {
			return pascal(strconv.FormatBool(v))
		}
	}
	return fmt.Sprint(v)
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
