package main

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// allOf calls a tool, and returns all that it answers: pictures as their type.
func allOf(t *testing.T, s *mcp.ClientSession, name string, args map[string]any) (text string) {
	t.Helper()
	r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for _, content := range r.Content {
		switch c := content.(type) {
		case *mcp.TextContent:
			text += c.Text
		case *mcp.ImageContent:
			text += c.MIMEType
		}
	}
	return text
}
