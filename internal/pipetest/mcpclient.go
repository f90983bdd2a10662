package pipetest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
)

// MCP is a client of the revision 2026-07-28 that keeps nothing between requests.
type MCP struct {
	*Service
	Name string // of the client
	Can  Object // its capabilities
}

// MCPAnswer is the part of an answer that such a client reads.
type MCPAnswer struct {
	Result struct {
		ResultType string
		TTLMs      int
		CacheScope string
		Supported  []string `json:"supportedVersions"`
		IsError    bool
		Structured json.RawMessage `json:"structuredContent"`
		Content    []struct{ Type, Text, Data, MIMEType, URI, Name string }
		Resources  []struct {
			URI, Name, MIMEType string
			Size                int
		}
		Contents     []struct{ URI, MIMEType, Text, Blob string }
		RequestState string
		Inputs       map[string]struct {
			Method string
			Params struct{ Mode, Message, URL string }
		} `json:"inputRequests"`
		Tools []struct {
			Name        string
			InputSchema struct {
				Properties map[string]struct {
					Header string `json:"x-mcp-header"`
				}
			}
		}
	}
	Error *struct {
		Code    int
		Message string
	}
}

// Ask sends one request, as curl would.
func (c MCP) Ask(method string, params Object, headers ...string) (a MCPAnswer, status int, head http.Header) {
	c.T.Helper()
	status, text, head := c.Asked(method, params, headers)
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		c.T.Fatalf("%s: %d %q: %v", method, status, text, err)
	}
	return a, status, head
}

// Asked is Ask with the text of the answer.
func (c MCP) Asked(method string, params Object, headers []string) (status int, text string, head http.Header) {
	c.T.Helper()
	if params == nil {
		params = Object{}
	}
	can := c.Can
	if can == nil {
		can = Object{}
	}
	params["_meta"] = Object{
		"io.modelcontextprotocol/protocolVersion":    "2026-07-28",
		"io.modelcontextprotocol/clientCapabilities": can,
		"io.modelcontextprotocol/clientInfo":         Object{"name": c.Name, "version": "1"},
	}
	body, err := json.Marshal(Object{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		c.T.Fatal(err)
	}
	all := append([]string{"Accept: application/json, text/event-stream", "Mcp-Protocol-Version: 2026-07-28",
		"Mcp-Method: " + method}, headers...)
	status, text, head = c.Do("POST", "/mcp", string(body), all...)
	for line := range strings.Lines(text) { // an answer is JSON, or the only event of a stream
		text = strings.TrimPrefix(strings.TrimSpace(line), "data: ")
		if strings.HasPrefix(text, "{") {
			break
		}
	}
	return status, text, head
}

// Use calls a tool; the header repeats the session argument.
func (c MCP) Use(tool string, args Object, headers ...string) MCPAnswer {
	c.T.Helper()
	status, text, _ := c.Called(tool, args, headers)
	a := Decode[MCPAnswer](c.T, text)
	if status != http.StatusOK || a.Error != nil {
		c.T.Fatalf("%s: %d %+v", tool, status, a.Error)
	}
	if a.Result.ResultType != "complete" || len(a.Result.Content) == 0 {
		c.T.Errorf("%s: %+v", tool, a.Result)
	}
	return a
}

// Called is Use with the text of the answer.
func (c MCP) Called(tool string, args Object, headers []string) (status int, text string, head http.Header) {
	c.T.Helper()
	all := []string{"Mcp-Name: " + tool}
	for _, name := range []string{"session", "session_id"} {
		if id, ok := args[name].(string); ok {
			all = append(all, "Mcp-Param-Session: "+id)
		}
	}
	return c.Asked("tools/call", Object{"name": tool, "arguments": args}, append(all, headers...))
}

// Opens opens a session and returns its id.
func (c MCP) Opens() string {
	c.T.Helper()
	a := c.Use("session.create", Object{"timeout": patience("session.create")})
	return Decode[created](c.T, string(a.Result.Structured)).ID
}

// OverMCP makes an MCP client of a pipe. It returns what calls a tool and returns the texts of
// the answer.
func OverMCP(p *Pipe) func(tool string, args Object) string {
	if !p.mcp {
		p.mcp = true
		p.hello()
	}
	n := 0
	return func(tool string, args Object) string {
		p.T.Helper()
		n++
		if p.session != "" {
			own := Object{"session_id": p.session}
			maps.Copy(own, args)
			args = own
		}
		params, _ := json.Marshal(Object{"name": tool, "arguments": args})
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":%s}`, n, params))
		r := Decode[MCPAnswer](p.T, p.Line())
		var texts []string
		for _, c := range r.Result.Content {
			texts = append(texts, c.Text)
		}
		return strings.Join(texts, "\n")
	}
}

// hello begins an MCP session.
func (p *Pipe) hello() {
	p.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",` +
		`"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	p.Line()
	p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}
