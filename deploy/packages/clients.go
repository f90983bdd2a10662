package packages

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"pwpipe/provider"
	"pwpipe/provider/toollist"
)

// declared is a tool as `pwpipe tools --format json` prints it.
type declared struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Params      []string `json:"params"`
	Input       shape    `json:"inputSchema"`
	Result      string   `json:"result"`
}

// shape is the part of a JSON Schema that the clients' types say.
type shape struct {
	Type        any      `json:"type"`
	Description string   `json:"description"`
	Enum        []string `json:"enum"`
	Items       *shape   `json:"items"`

	Properties map[string]shape `json:"properties"`
	Required   []string         `json:"required"`
}

// without are tools that are no methods of the clients: a session is an object there, and
// events need a connection that stays.
var without = []string{"session.create", "session.close", "rpc.discover", "events.subscribe", "events.unsubscribe"}

// readTools lists the tools that are methods of the clients, and the options of a session.
func readTools(tools []*provider.Tool) (list []declared, session shape, err error) {
	text, err := toollist.Describe(tools, "json")
	if err == nil {
		err = json.Unmarshal([]byte(text), &list)
	}
	for _, t := range list {
		if t.Name == "session.create" {
			session = t.Input
		}
	}
	return slices.DeleteFunc(list, func(t declared) bool { return slices.Contains(without, t.Name) }), session, err
}

func (t declared) optional(param string) bool { return !slices.Contains(t.Input.Required, param) }

// camel is a tool's name as a method in JavaScript: newCtx.
func camel(name string) string {
	parts := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("-_.", r) })
	for i, p := range parts[1:] {
		parts[i+1] = strings.ToUpper(p[:1]) + p[1:]
	}
	return strings.Join(parts, "")
}

// methodNames is tools.json: each tool's method, and its parameters in order.
func methodNames(tools []declared) []byte {
	type method struct {
		Method string   `json:"method"`
		Params []string `json:"params"`
	}
	names := map[string]method{}
	for _, t := range tools {
		names[t.Name] = method{camel(t.Name), append([]string{}, t.Params...)}
	}
	text, _ := json.MarshalIndent(names, "", "  ") // texts alone
	return append(text, '\n')
}

// typeScript is tools.d.ts: each tool with its parameters by position, and by name.
func typeScript(tools []declared, session shape) []byte {
	var b strings.Builder
	b.WriteString("/** How a session of a service is opened. */\nexport interface SessionOptions " + session.typeScript() + "\n\n")
	b.WriteString("/** A method for each tool. Parameters are given by position, or as one object by name. */\nexport interface Tools {\n")
	for _, t := range tools {
		var byPosition, byName []string
		for _, p := range t.Params {
			named := t.Input.member(p)
			byPosition = append(byPosition, argument(p)+strings.TrimPrefix(named, strconv.Quote(p)))
			byName = append(byName, named)
		}
		answer := tsResults[t.Result]
		fmt.Fprintf(&b, "  /** %s */\n", strings.ReplaceAll(t.Description, "*/", "* /"))
		if inOrder(t) {
			fmt.Fprintf(&b, "  %s(%s): Promise<%s>;\n", camel(t.Name), strings.Join(byPosition, ", "), answer)
		}
		if len(byName) > 0 {
			fmt.Fprintf(&b, "  %s(params: { %s }): Promise<%s>;\n", camel(t.Name), strings.Join(byName, "; "), answer)
		}
	}
	b.WriteString("}\n")
	return []byte(b.String())
}

// inOrder reports whether no parameter that must be given follows one that may be left
// out, which neither language has.
func inOrder(t declared) bool {
	i := slices.IndexFunc(t.Params, t.optional)
	return i < 0 || !slices.ContainsFunc(t.Params[i:], func(p string) bool { return !t.optional(p) })
}

// argument is a parameter's name where a language reserves it.
func argument(name string) string {
	if slices.Contains([]string{"from", "not", "in", "is", "function", "default", "with", "var", "delete", "new", "async", "class"}, name) {
		return name + "_"
	}
	return strings.ReplaceAll(name, "-", "_")
}

var (
	tsResults = map[string]string{"null": "null", "text": "string", "true or false": "boolean", "number": "number", "object": "any", "any JSON": "any"}
	pyResults = map[string]string{"null": "None", "text": "str", "true or false": "bool", "number": "float", "object": "Any", "any JSON": "Any"}
)

// The languages' words for the types of JSON.
var (
	tsTypes = map[string]string{"string": "string", "boolean": "boolean", "number": "number", "integer": "number",
		"array": "unknown[]", "object": "Record<string, unknown>"}
	pyTypes = map[string]string{"string": "str", "boolean": "bool", "number": "float", "integer": "int",
		"array": "Sequence[Any]", "object": "Mapping[str, Any]"}
)

func quoted(texts []string, between string) string {
	list := make([]string, len(texts))
	for i, text := range texts {
		list[i] = strconv.Quote(text)
	}
	return strings.Join(list, between)
}

func (s shape) typeScript() string {
	kind, _ := s.Type.(string) // not one of several
	switch {
	case len(s.Enum) > 0:
		return quoted(s.Enum, " | ")
	case kind == "array" && s.Items != nil:
		return "Array<" + s.Items.typeScript() + ">"
	case kind == "object" && len(s.Properties) > 0:
		var members []string
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			members = append(members, s.member(name))
		}
		return "{ " + strings.Join(members, "; ") + " }"
	}
	return cmp.Or(tsTypes[kind], "unknown")
}

// member is a property in an object type of TypeScript.
func (s shape) member(name string) string {
	mark := "?"
	if slices.Contains(s.Required, name) {
		mark = ""
	}
	return fmt.Sprintf("%q%s: %s", name, mark, s.Properties[name].typeScript())
}

func (s shape) python() string {
	if len(s.Enum) > 0 {
		return "Literal[" + quoted(s.Enum, ", ") + "]"
	}
	kind, _ := s.Type.(string)
	return cmp.Or(pyTypes[kind], "Any")
}

// pythonHead is the part of _tools.py before the methods: the options of a session, and the
// parameters of each tool in order.
func pythonHead(tools []declared, session shape) string {
	var b strings.Builder
	b.WriteString(`from __future__ import annotations

from typing import Any, Literal, Mapping, Optional, Sequence, TypedDict


class SessionOptions(TypedDict, total=False):
    """How a session of a service is opened."""

`)
	for _, name := range slices.Sorted(maps.Keys(session.Properties)) {
		fmt.Fprintf(&b, "    %s: %s\n", name, session.Properties[name].python())
	}
	b.WriteString("\n\nPARAMS: \"dict[str, tuple[str, ...]]\" = {\n")
	for _, t := range tools {
		names := ""
		for _, p := range t.Params {
			names += fmt.Sprintf("%q, ", p)
		}
		fmt.Fprintf(&b, "    %q: (%s),\n", t.Name, strings.TrimSuffix(names, " "))
	}
	b.WriteString(`}


class Tools:
    """A method for each tool. None for a parameter leaves it out."""

    def call(self, tool: str, params: Any = None, *, page: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        raise NotImplementedError

    def _named(self, tool: str, /, **params: Any) -> Any:
        return self.call(tool, {name: value for name, value in params.items() if value is not None})
`)
	return b.String()
}

// pythonTools is _tools.py: a method for each tool.
func pythonTools(tools []declared, session shape) []byte {
	var b strings.Builder
	b.WriteString(pythonHead(tools, session))
	for _, t := range tools {
		arguments, given := []string{"self"}, []string{strconv.Quote(t.Name)}
		var optional []string
		for _, p := range t.Params {
			kind := t.Input.Properties[p].python()
			if t.optional(p) {
				optional = append(optional, argument(p)+": Optional["+kind+"] = None")
			} else {
				arguments = append(arguments, argument(p)+": "+kind)
			}
			given = append(given, fmt.Sprintf("**{%q: %s}", p, argument(p)))
		}
		arguments = append(arguments, optional...)
		ignore := "  # type: ignore[no-any-return]"
		if pyResults[t.Result] == "Any" {
			ignore = ""
		}
		fmt.Fprintf(&b, "\n    def %s(%s) -> %s:\n        %s\n        return self._named(%s)%s\n",
			argument(pySnake(t.Name)), strings.Join(arguments, ", "), pyResults[t.Result],
			pyDoc(t.Description), strings.Join(given, ", "), ignore)
	}
	return []byte(b.String())
}

// pySnake is a tool's name as a method in Python: new_ctx, session_storage_state.
func pySnake(name string) string {
	var b strings.Builder
	for _, r := range strings.NewReplacer("-", "_", ".", "_").Replace(name) {
		if unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

func pyDoc(text string) string {
	return `"""` + strings.NewReplacer(`\`, `\\`, `"`, `'`).Replace(text) + `"""`
}
