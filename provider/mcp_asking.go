package provider

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// person names the only question of a call.
const person = "person"

// askingOf is the client's way to ask its person: a result that requires input, in the
// revisions without sessions. nil if the client can't.
func askingOf(req *mcp.CallToolRequest) *Asking {
	can := req.ClientCapabilities()
	if req.ProtocolVersion() < firstStateless || can == nil || can.Elicitation == nil {
		return nil
	}
	a := &Asking{State: req.Params.RequestState, Links: can.Elicitation.URL != nil}
	if answer, ok := req.Params.InputResponses[person].(*mcp.ElicitResult); ok && answer != nil {
		a.Answer = answer.Action
	}
	return a
}

// asked is the result that asks the client's person, nil without a question.
func (x *exchange) asked() *mcp.CallToolResult {
	if x.asking == nil || x.asking.question == nil {
		return nil
	}
	q := x.asking.question
	ask := &mcp.ElicitParams{Mode: "url", Message: q.Message, URL: q.URL, ElicitationID: q.State}
	if !x.asking.Links {
		ask = &mcp.ElicitParams{Mode: "form", Message: q.Message + "\n\n" + q.URL,
			RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{}}}
	}
	questions := mcp.InputRequestMap{person: ask}
	return &mcp.CallToolResult{Content: []mcp.Content{}, InputRequests: questions, RequestState: q.State}
}

// MCPCall returns the SDK's context and session of a call, nil in other dialects than MCP.
func MCPCall(ctx context.Context) (context.Context, *mcp.ServerSession) {
	if x := exchangeIn(ctx); x != nil && x.sdk != nil {
		return x.sdk()
	}
	return nil, nil
}
