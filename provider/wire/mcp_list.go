package wire

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/provider"
)

// isILO reports whether the client is ilo, which counts every property of a
// schema towards a tool's arity.
func isILO(req mcp.Request) bool {
	ss, ok := req.GetSession().(*mcp.ServerSession)
	if !ok || ss.InitializeParams() == nil || ss.InitializeParams().ClientInfo == nil {
		return false
	}
	return ss.InitializeParams().ClientInfo.Name == "ilo"
}

// slimList is a result of tools/list with slim tools in place of the SDK's.
type slimList struct {
	*mcp.ListToolsResult
	Tools []slimTool `json:"tools"`
}

// slimTool is a tool in tools/list that costs a model few tokens: the name first, and
// no hint that repeats the protocol's default.
type slimTool struct {
	Name        string             `json:"name"`
	Title       string             `json:"title,omitempty"`
	Description string             `json:"description,omitempty"`
	Input       *jsonschema.Schema `json:"inputSchema"`
	Output      *jsonschema.Schema `json:"outputSchema,omitempty"`
	Annotations slimHints          `json:"annotations"`
}

// slimHints leaves out hints that are false by default.
type slimHints struct {
	Title       string `json:"title,omitempty"`
	ReadOnly    bool   `json:"readOnlyHint,omitempty"`
	Destructive *bool  `json:"destructiveHint,omitempty"`
}

// listed is the tools/list of a profile.
func listed(table *provider.Table, o MCPOptions, requiredOnly bool) []slimTool {
	list := []slimTool{}
	for _, t := range table.Profile(o.Profile) {
		if t.Alias.Deprecated {
			continue
		}
		m := slimTool{Name: t.Name, Title: t.Title, Description: t.Doc, Input: inputOf(t, o), Output: t.Out}
		if m.Title == m.Description {
			m.Title = ""
		}
		if m.Annotations.ReadOnly = t.Effect == provider.Reads || t.Effect == provider.Waits; !m.Annotations.ReadOnly {
			destructive := t.Effect == provider.Destroys || t.Target != ""
			m.Annotations.Destructive = &destructive
		}
		if requiredOnly {
			m.Input, m.Output = requiredSchema(t), nil
		}
		if table.Options().Foreign {
			m.asForeign()
		}
		list = append(list, m)
	}
	return list
}

// asForeign gives a tool what the other program lists of it: hints with its title, which leave to
// the protocol's default that an act may destroy; parameters in few words; and no output, which
// costs more than the rest.
func (m *slimTool) asForeign() {
	m.Annotations.Title, m.Title = cmp.Or(m.Title, m.Description), ""
	m.Annotations.Destructive = nil
	m.Input, m.Output = terse(m.Input), nil
}

// terse leaves out of a schema what a model can do without: descriptions that only repeat a
// parameter's name, defaults, and bounds, which a refused call says.
func terse(s *jsonschema.Schema) *jsonschema.Schema {
	if s == nil {
		return nil
	}
	own := *s
	own.Minimum, own.Maximum, own.Default = nil, nil, nil
	own.Items = terse(s.Items)
	own.Properties = maps.Clone(s.Properties)
	for name, p := range own.Properties {
		p = terse(p)
		if strings.EqualFold(strings.ReplaceAll(p.Description, " ", ""), name) {
			p.Description = ""
		}
		own.Properties[name] = p
	}
	return &own
}

// SessionArg is the argument that names a session on a stateless transport.
const SessionArg = "session"

// sessionHeader is the header name after "Mcp-Param-". Clients repeat the session
// argument there, so that a balancer sees it.
const sessionHeader = "Session"

// inputOf is the schema of a tool's parameters, on a stateless transport plus the session.
func inputOf(t *provider.Tool, o MCPOptions) *jsonschema.Schema {
	if !o.Stateless {
		return t.In
	}
	name, session := SessionArg, &jsonschema.Schema{Type: "string"}
	if own := t.In.Properties["session_id"]; own != nil { // it closes the one that it names
		copied := *own
		name, session = "session_id", &copied
	} else if t.Sessionless || t.Has(SessionArg) {
		return t.In
	}
	session.Extra = map[string]any{"x-mcp-header": sessionHeader}
	s := *t.In
	s.Properties = maps.Clone(t.In.Properties)
	s.Properties[name] = session
	if !slices.Contains(s.PropertyOrder, name) {
		s.PropertyOrder = append(slices.Clone(s.PropertyOrder), name)
	}
	return &s
}

// requiredSchema lists the required parameters only, in positional order.
func requiredSchema(t *provider.Tool) *jsonschema.Schema {
	s := *t.In
	s.Properties = map[string]*jsonschema.Schema{}
	s.PropertyOrder = t.In.Required
	for _, name := range t.In.Required {
		s.Properties[name] = t.In.Properties[name]
	}
	return &s
}
