package wire

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/provider"
	"pwpipe/provider/internal/rawjson"
)

// mcpResult makes the MCP result. It adds what the act did, links to the files that the
// call wrote, if the client knows links, and the session that was opened for it.
func mcpResult(t *provider.Tool, result provider.Result, err error, links bool) *mcp.CallToolResult {
	r := contentResult(t, result, err)
	if happened := strings.Join(result.Happened, "\n"); happened != "" && t.Result == "_" && err == nil {
		r.Content = []mcp.Content{&mcp.TextContent{Text: "ok\n" + happened}}
	} else if happened != "" {
		r.Content = append(r.Content, &mcp.TextContent{Text: happened})
	}
	_, whole := result.Value.(provider.Sections)
	for _, f := range result.Files {
		if links && !whole {
			r.Content = append(r.Content, &mcp.ResourceLink{URI: f.URI, Name: f.Name, MIMEType: f.MIME})
		}
	}
	if result.Opened != "" && !whole {
		r.Content = append(r.Content, &mcp.TextContent{Text: SessionArg + ": " + result.Opened})
	}
	return r
}

// contentResult makes content of a result: a string as it is, a picture as a picture,
// nothing as "ok", anything else as JSON. A failed tool sets isError.
func contentResult(t *provider.Tool, result provider.Result, err error) *mcp.CallToolResult {
	if err != nil {
		said := &mcp.TextContent{Text: provider.AsError(err).Error()}
		return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{said}}
	}
	r := &mcp.CallToolResult{}
	if img, ok := result.Value.(provider.Image); ok {
		if data, err := base64.StdEncoding.DecodeString(img.Base64); err == nil {
			r.Content = []mcp.Content{&mcp.ImageContent{Data: data, MIMEType: img.MIME}}
			if note := img.Note(); note != "" {
				r.Content = append(r.Content, &mcp.TextContent{Text: note})
			}
			return r
		}
	}
	if c, ok := result.Value.(provider.Content); ok {
		r.Content = contentOf(c)
		if s, ok := c.(provider.Sections); ok {
			r.IsError = s.IsError()
			slices.Reverse(r.Content) // the text comes first
		}
		return r
	}
	if p, ok := result.Value.(provider.Piece); ok {
		r.Content = []mcp.Content{&mcp.TextContent{Text: p.ForPeople()}}
	} else {
		r.Content = []mcp.Content{&mcp.TextContent{Text: textOf(t, result.JSON)}}
	}
	if t.Out != nil {
		r.StructuredContent = result.JSON
	}
	return r
}

// contentOf makes content of a result with several parts.
func contentOf(c provider.Content) []mcp.Content {
	text, pictures := c.Content()
	var parts []mcp.Content
	for _, p := range pictures {
		if data, err := base64.StdEncoding.DecodeString(p.Base64); err == nil {
			parts = append(parts, &mcp.ImageContent{Data: data, MIMEType: http.DetectContentType(data)})
		}
	}
	if text = provider.WithNotes(text, pictures); text != "" || len(parts) == 0 {
		parts = append(parts, &mcp.TextContent{Text: text})
	}
	return parts
}

// sayEmpty shows an empty text as JSON has it, for models: they can't tell it from no answer.
func sayEmpty(r *mcp.CallToolResult) {
	for _, c := range r.Content {
		if t, ok := c.(*mcp.TextContent); ok && t.Text == "" {
			t.Text = `""`
		}
	}
}

func textOf(t *provider.Tool, raw json.RawMessage) string {
	if t.Result == "_" {
		return "ok"
	}
	if s, ok := rawjson.Text(raw); ok {
		return s
	}
	return string(raw)
}
