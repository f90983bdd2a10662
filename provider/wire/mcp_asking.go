package wire

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/provider"
)

// person names the only question of a call.
const person = "person"

// askingOf is the client's way to ask its person: a result that requires input, in the
// revisions without sessions. nil if the client can't.
func askingOf(req *mcp.CallToolRequest) *provider.Asking {
	can := req.ClientCapabilities()
	if req.ProtocolVersion() < firstStateless || can == nil || can.Elicitation == nil {
		return nil
	}
	a := &provider.Asking{State: req.Params.RequestState, Links: can.Elicitation.URL != nil}
	if answer, ok := req.Params.InputResponses[person].(*mcp.ElicitResult); ok && answer != nil {
		a.Answer = answer.Action
	}
	return a
}

// questionOf is the result that asks the client's person, nil without a question.
func questionOf(a *provider.Asking) *mcp.CallToolResult {
	q := a.Asked()
	if q == nil {
		return nil
	}
	ask := &mcp.ElicitParams{Mode: "url", Message: q.Message, URL: q.URL, ElicitationID: q.State}
	if !a.Links {
		ask = &mcp.ElicitParams{Mode: "form", Message: q.Message + "\n\n" + q.URL,
			RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{}}}
	}
	questions := mcp.InputRequestMap{person: ask}
	return &mcp.CallToolResult{Content: []mcp.Content{}, InputRequests: questions, RequestState: q.State}
}

// mcpCall is a call as the SDK knows it.
type mcpCall struct {
	ctx     context.Context
	session *mcp.ServerSession
}

// MCPCall returns the SDK's context and session of a call, nil in other dialects than MCP.
func MCPCall(ctx context.Context) (context.Context, *mcp.ServerSession) {
	if c, ok := provider.DialectCall(ctx).(*mcpCall); ok {
		return c.ctx, c.session
	}
	return nil, nil
}
