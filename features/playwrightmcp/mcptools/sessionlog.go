package mcptools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"pwpipe/internal/machine/writefile"
	"pwpipe/provider"
)

// beginLog makes the folder of the session's log, and says where it is.
func (c *call) beginLog() {
	m := kept.Of(c.session)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.folder != "" {
		return
	}
	m.folder = filepath.Join(outputDir(c.cwd), fmt.Sprintf("session-%d", time.Now().UnixMilli()))
	said := "Session: " + m.folder
	if err := os.MkdirAll(m.folder, 0o755); err != nil {
		said = "the session is not saved: " + err.Error()
	}
	c.options.Say(said)
}

// loggedAnswer is an answer in the log: its sections, and the snapshot also if a file holds it.
type loggedAnswer struct {
	Result   string    `json:"result,omitempty"`
	Error    string    `json:"error,omitempty"`
	Code     string    `json:"code,omitempty"`
	Tabs     string    `json:"tabs,omitempty"`
	Page     string    `json:"page,omitempty"`
	Snapshot string    `json:"snapshot,omitempty"`
	Inline   string    `json:"inlineSnapshot,omitempty"`
	Events   string    `json:"events,omitempty"`
	Modal    string    `json:"modalState,omitempty"`
	IsError  bool      `json:"isError,omitempty"`
	Pictures []picture `json:"attachments,omitempty"`
}

type picture struct {
	Type string `json:"type"`
	Data string `json:"data"`
	MIME string `json:"mimeType"`
}

// log appends a call and its answer to session.md. A failed write loses this entry only.
func (c *call) log(name string, a Answer) {
	var args bytes.Buffer
	if json.Indent(&args, provider.RequestFrom(c.ctx).Params, "", "  ") != nil {
		args.WriteString("{}") // a call without arguments
	}
	lines := func(list []string) string { return c.hide(strings.Join(list, "\n")) }
	said := loggedAnswer{Result: lines(c.results), Error: lines(c.errors), Tabs: lines(c.tabs),
		Code: lines(typescript.lines(c.code)), Page: lines(c.shownPage), Events: lines(c.events), Modal: lines(c.modal),
		IsError: a.Failed}
	if c.yaml {
		said.Inline = c.outline
	} else {
		said.Snapshot = c.outline
	}
	for _, p := range a.Pictures {
		said.Pictures = append(said.Pictures, picture{"image", p.Base64, p.MIME})
	}
	text := fmt.Sprintf("\n### Tool call: %s\n- Args\n```json\n%s\n```\n- Result\n```json\n%s\n```\n",
		name, c.hide(args.String()), spread(said))
	m := kept.Of(c.session)
	m.mu.Lock()
	defer m.mu.Unlock()
	f, err := writefile.Append(filepath.Join(m.folder, "session.md"), writefile.Private)
	if err != nil {
		return
	}
	defer func() { _ = f.Close() }()
	_, _ = f.WriteString(text)
}

// spread writes a value as JSON with a line a member.
func spread(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return "{}"
	}
	return strings.TrimSuffix(b.String(), "\n")
}
