package service_test

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/internal/pipetest"
)

// example is the block of the guide that has a word in it.
func example(t *testing.T, word string) string {
	t.Helper()
	for _, m := range regexp.MustCompile("(?ms)^```\\w*\n(.*?)^```$").FindAllStringSubmatch(read(t, guide), -1) {
		if strings.Contains(m[1], word) {
			return m[1]
		}
	}
	t.Fatalf("no example has %s", word)
	return ""
}

type withHeaders struct{ headers map[string]string }

func (w withHeaders) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for name, value := range w.headers {
		r.Header.Set(name, value)
	}
	return http.DefaultTransport.RoundTrip(r)
}

// TestGuideExamples: the guide's service, its MCP configuration and its list of URLs for ilo belong together.
func TestGuideExamples(t *testing.T) {
	t.Parallel()
	key := regexp.MustCompile(`API_KEY=(\S+) pwpipe serve +# (http://127\.0\.0\.1:\d+)`).FindStringSubmatch(example(t, "pwpipe serve  "))
	if key == nil {
		t.Fatal("the guide does not say how the service is started")
	}
	svc := pipetest.SharedService(t)
	here := strings.NewReplacer(key[1], svc.Key, key[2], svc.URL).Replace

	var config struct {
		Servers map[string]struct {
			Type, URL string
			Headers   map[string]string
		} `json:"mcpServers"`
	}
	if err := json.Unmarshal([]byte(here(example(t, "mcpServers"))), &config); err != nil {
		t.Fatal(err)
	}
	server := config.Servers["browser"]
	client := mcp.NewClient(&mcp.Implementation{Name: "reader", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: server.URL,
		HTTPClient: &http.Client{Transport: withHeaders{server.Headers}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	if list, err := session.ListTools(t.Context(), nil); err != nil || len(list.Tools) == 0 {
		t.Fatalf("%v: %v", list, err)
	}

	command := regexp.MustCompile(`pwpipe (tools .*?) > tools\.json`).FindStringSubmatch(example(t, "ilo-http"))
	if command == nil {
		t.Fatal("the guide does not say how ilo gets its list")
	}
	out, err := exec.CommandContext(t.Context(), pipetest.Binary(t), strings.Fields(here(command[1]))...).Output()
	if err != nil || !strings.Contains(string(out), svc.URL+`/tools/nav","method":"POST","timeout_secs":35,`) {
		t.Fatalf("%v: %s", err, out)
	}
	ilo, err := exec.LookPath("ilo")
	if err != nil {
		return // its list names the URLs that it would call
	}
	dir := t.TempDir()
	for file, text := range map[string]string{"tools.json": string(out),
		"prog.ilo": "tool nav\"Navigate\" url:t>R _ t timeout:30\ntool title\"Title\" >R t t timeout:5\nmain>R t t;nav! \"about:blank\";title!()\n"} {
		if err := os.WriteFile(dir+"/"+file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := exec.CommandContext(t.Context(), ilo, "run", "--vm", "prog.ilo", "--tools", "tools.json", "main")
	run.Dir = dir
	if said, err := run.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, said)
	}
}
