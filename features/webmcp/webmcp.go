// Package webmcp lists and calls the tools that a page offers to agents by itself: WebMCP
// (`document.modelContext`).
//
// They are not among the tools of pwpipe: a page words their names, descriptions and results, and
// may call one like ours. Playwright MCP's tools show them as webmcp_NAME
// (features/playwrightmcp/mcptools/offers.go).
package webmcp

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"
	"unicode/utf8"

	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/tool"
	"pwpipe/internal/browser/cdp"
	"pwpipe/internal/text/secrets"
	"pwpipe/provider"
)

// Bounds of what a page may say.
const (
	maxTools       = 50
	maxName        = 128 // as the standard has it
	maxDescription = 500
	maxSchema      = 4 << 10
	maxResult      = 1 << 20
)

// List lists a page's own tools.
var List = tool.TypedOnPage(tool.Read.Reads("page-tools", "Page's tools",
	"List the tools that the page itself offers to agents (WebMCP); page-call calls one"), list)

// Tools list and call a page's own tools.
func Tools() []*provider.Tool {
	return []*provider.Tool{
		List.Tool,
		tool.OnPage(tool.Act.Acts("page-call", "Call page's tool",
			"Call a tool that the page offers (page-tools); what it answers").Within(30*time.Second), call),
	}
}

// Offered is a tool of a page.
type Offered struct {
	Name        string `json:"name" doc:"as page-call takes it"`
	Description string `json:"description,omitempty" doc:"in the page's words"`
	InputSchema string `json:"inputSchema,omitempty" doc:"JSON Schema of its arguments, as text"`
	ReadOnly    bool   `json:"readOnly,omitempty" doc:"the page says that it changes nothing"`

	frame string
}

// Offers are the tools of a page.
type Offers struct {
	Tools []Offered `json:"tools" doc:"at most 50"`
	Left  int       `json:"left,omitempty" doc:"tools that are not listed: too many, or with a name of more than 128 characters"`
}

func list(c *tool.Call, _ tool.NoParams) (Offers, error) {
	var o Offers
	s, all, err := ask(c)
	if err != nil {
		return o, err
	}
	s.Drop()
	o.Tools = []Offered{}
	for _, t := range all {
		if len(o.Tools) == maxTools || utf8.RuneCountInString(t.Name) > maxName {
			o.Left++
			continue
		}
		t.Description = secrets.Shorten(c.Hide(t.Description), maxDescription)
		if len(t.InputSchema) > maxSchema {
			t.InputSchema = ""
		}
		o.Tools = append(o.Tools, t)
	}
	return o, nil
}

// ask opens a session with the page, which tells the page's tools: WebMCP.enable.
func ask(c *tool.Call) (*cdp.Session, []Offered, error) {
	line, _, err := c.Offered(c.Ctx, "page's tools")
	if err != nil {
		return nil, nil, err
	}
	s, err := line.Attach(c.Ctx, c.Target())
	if err != nil {
		return nil, nil, err
	}
	var all []Offered // the reading goroutine adds to it, until the reply to enable
	off := s.On("WebMCP.toolsAdded", func(params json.RawMessage) { all = append(all, read(params)...) })
	err = s.Call(c.Ctx, "WebMCP.enable", nil, nil)
	off()
	if err == nil && len(all) == 0 && !c.Session.Browser.Config.PageTools && !c.Session.Browser.Config.Lends() {
		err = provider.Errorf(provider.KindFailed, "the browser does not let pages offer tools").
			WithHint("start pwpipe with --page-tools")
	}
	var unknown *cdp.Error
	if errors.As(err, &unknown) {
		err = provider.Errorf(provider.KindFailed, "this browser knows no tools of pages: %s", unknown.Message)
	}
	if err != nil {
		s.Drop()
		return nil, nil, err
	}
	return s, all, nil
}

// read reads the tools of an event.
func read(params json.RawMessage) (all []Offered) {
	var e struct {
		Tools []struct {
			Name, Description string
			InputSchema       json.RawMessage
			FrameID           string
			Annotations       struct{ ReadOnly bool }
		}
	}
	_ = json.Unmarshal(params, &e)
	for _, t := range e.Tools {
		all = append(all, Offered{t.Name, t.Description, string(t.InputSchema), t.Annotations.ReadOnly, t.FrameID})
	}
	return all
}

type callParams struct {
	Name string          `json:"name" secrets:"no" doc:"of a tool of the page"`
	Args json.RawMessage `json:"args,omitempty" doc:"object of its arguments"`
}

// called is the end of a call.
type called struct {
	InvocationID string
	Status       string
	Output       json.RawMessage
	ErrorText    string
	Exception    struct{ Description string }
}

// call is WebMCP.invokeTool.
func call(c *tool.Call, in callParams) (any, error) {
	args := in.Args
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	if args[0] != '{' {
		return nil, provider.Errorf(provider.KindArgs, "args: expected an object")
	}
	s, all, err := ask(c)
	if err != nil {
		return nil, err
	}
	defer s.Drop()
	frame, err := frameOf(c, in.Name, all)
	if err != nil {
		return nil, err
	}
	ends := make(chan called, 100) // calls of other clients end here, too
	s.On("WebMCP.toolResponded", func(params json.RawMessage) {
		var e called
		if json.Unmarshal(params, &e) != nil {
			return
		}
		select {
		case ends <- e:
		default:
		}
	})
	var begun struct{ InvocationID string }
	err = s.Call(c.Ctx, "WebMCP.invokeTool", map[string]any{"frameId": frame, "toolName": in.Name, "input": args}, &begun)
	var refused *cdp.Error
	if errors.As(err, &refused) {
		return nil, provider.Errorf(provider.KindFailed, "the page's tool %s: %s", in.Name, refused.Message)
	}
	if err != nil {
		return nil, err
	}
	for {
		select {
		case e := <-ends:
			if e.InvocationID == begun.InvocationID {
				return e.answer(in.Name)
			}
		case <-s.Gone():
			return nil, cdp.ErrGone
		case <-c.Ctx.Done():
			s.Send("WebMCP.cancelInvocation", map[string]any{"invocationId": begun.InvocationID}, nil)
			if !errors.Is(c.Ctx.Err(), context.DeadlineExceeded) {
				return nil, c.Ctx.Err()
			}
			return nil, provider.Errorf(provider.KindTimeout, "the page's tool %s did not answer within %s; it was told to stop",
				in.Name, pwerrors.Seconds(c.After()))
		}
	}
}

// frameOf is the frame of a tool: the main one, or else the only one that has it.
func frameOf(c *tool.Call, name string, all []Offered) (string, error) {
	var frames []string
	for _, t := range all {
		if t.Name == name {
			frames = append(frames, t.frame)
		}
	}
	switch main := c.Target(); { // Chromium calls a page's target as its main frame
	case slices.Contains(frames, main):
		return main, nil
	case len(frames) == 1:
		return frames[0], nil
	case len(frames) > 1:
		return "", provider.Errorf(provider.KindFailed, "%d frames of the page have a tool %s", len(frames), name)
	}
	return "", provider.Errorf(provider.KindFailed, "the page offers no tool %s", name).WithHint("page-tools lists them")
}

// answer is what the page's tool answered.
func (e *called) answer(name string) (any, error) {
	switch {
	case e.Status == "Completed" && len(e.Output) > maxResult:
		return nil, provider.Errorf(provider.KindLimit, "the page's tool %s answered %d bytes, and %d are the most",
			name, len(e.Output), maxResult)
	case e.Status == "Completed":
		return e.Output, nil
	case e.Status == "Canceled":
		return nil, provider.Errorf(provider.KindFailed, "the page's tool %s was cancelled", name)
	case e.Exception.Description != "":
		return nil, provider.Errorf(provider.KindFailed, "the page's tool %s: %s", name, e.Exception.Description)
	}
	return nil, provider.Errorf(provider.KindFailed, "the page's tool %s: %s", name, e.ErrorText)
}
