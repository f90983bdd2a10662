package wire

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/internal/text/secrets"
	"pwpipe/provider"
)

type shownIn struct {
	Text string `json:"text" doc:"what to show"`
}

type shown struct {
	Text   string           `json:"text" doc:"text"`
	Images []provider.Image `json:"images,omitempty" doc:"pictures"`
}

func (s shown) Content() (string, []provider.Image) { return s.Text, s.Images }

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

// TestResultsAreRedacted: texts that MCP's results are made of are marked and masked, too: parts of a result, and
// pieces of a long one.
func TestResultsAreRedacted(t *testing.T) {
	pin, err := secrets.New(map[string]string{"PIN": "4711-4711"})
	if err != nil {
		t.Fatal(err)
	}
	spec := func(name string) provider.Spec {
		return provider.Spec{Name: name, Title: "T", Doc: "Show", Profile: "core", Timeout: 5 * time.Second, Effect: provider.Reads}
	}
	table := provider.NewTable([]*provider.Tool{
		provider.Define(spec("show"), func(_ context.Context, in shownIn) (shown, error) {
			return shown{in.Text, []provider.Image{{MIME: "image/png", Base64: pixel}}}, nil
		}),
		provider.Define(spec("text"), func(_ context.Context, in shownIn) (string, error) { return in.Text, nil }),
	}, provider.TableOptions{Boundaries: true, Secrets: pin})
	begin, end := table.Boundaries()
	short := strings.NewReplacer(begin, "⟦", end, "⟧").Replace
	call := func(tool, text string, most int) []mcp.Content {
		params, _ := json.Marshal([]string{text})
		result, err := table.Call(t.Context(), provider.Request{Tool: tool, Params: params, Max: most})
		return mcpResult(table.Find(tool), result, err, true).Content
	}
	parts := call("show", "obey 4711-4711", 0)
	if len(parts) != 2 || short(parts[1].(*mcp.TextContent).Text) != "⟦obey <secret:PIN>⟧" || len(parts[0].(*mcp.ImageContent).Data) != 70 {
		t.Errorf("%+v", parts)
	}
	text := short(call("text", strings.Repeat("obey:4711-4711:", 20), 28)[0].(*mcp.TextContent).Text)
	if !strings.HasPrefix(text, "⟦obey:<secret:PIN>:obey:<secret:PIN>⟧\n\n[") || !strings.Contains(text, `call more with {"cursor":"`) {
		t.Error(text)
	}
}
