package guard_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"pwpipe/internal/pipetest"
)

// asked are calls that show secrets and page text: name and arguments.
var asked = pipetest.Some([][2]string{
	{"page.goto", `{"url":"SITE/?q={{SPACES}}#{{LINES}}"}`}, {"page.text", `{"maxChars":61}`}, {"page.content", `{}`}, {"page.evaluate", `{"expression":"({all, t: document.title})"}`},
	{"page.evaluate", `{"expression":"(() => { throw new Error(all.join()) })()"}`}, {"snapshot", `{"max":900}`}, {"page.click", `{"selector":"#none {{TOKEN}}","timeout":200}`}, {"find", `{"text":"x x"}`},
	{"pages", `{}`}, {"cookies", `{}`}, {"storage", `{}`}, {"requests", `{"last":40}`}, {"logs.pull", `{}`}, {"network.pull", `{"onlyErrors":false}`}, {"execute", `{"code":"console.log(await page.title()); await page.evaluate(() => all)"}`},
	{"read", `{"url":"SITE/data?q={{SPACES}}"}`}, {"read", `{"url":"SITE/none?bad={{LONG}}"}`},
	{"session.storageState", `{}`}, {"download", `{"sel":"#file"}`}, {"none {{TOKEN}}", `{}`}, {"fill", `{"sel":5}`}, {"nav", `{"url":"SITE/none?{{LONG}}"}`},
}, 2)

// The service leaks no secret on any surface, and marks page text: in answers,
// events, headers and the log.
func TestNothingOfSecretsLeavesTheService(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestSecretsNeverLeave is quick")
	t.Parallel()
	site := leaky(t)
	s := pipetest.StartService(t, "--secrets="+oddFile(t), "--content-boundaries", "--log-level=debug", "ALLOW_HOST_REGEX=^https?://", "MAX_BODY=1000000")
	var out strings.Builder
	say := func(status int, text string, head http.Header) {
		fmt.Fprintf(&out, "%d %v %s\n", status, head, text)
	}
	c := s.Open(map[string]any{"har": true})
	events := eventsOf(t, s, c.ID, &out)
	for _, a := range asked {
		params := strings.ReplaceAll(a[1], "SITE", site)
		with := strings.Replace(params, "{", `{"session_id":"`+c.ID+`",`, 1)
		with = strings.Replace(with, ",}", "}", 1)
		say(s.Do("POST", "/rpc", `{"jsonrpc":"2.0","id":1,"method":"`+a[0]+`","params":`+with+`}`))
		say(s.Do("POST", "/tools/"+strings.ReplaceAll(a[0], " ", "%20"), params, "X-Session-Id: "+c.ID))
	}
	overMCP(t, s, site, say)
	say(s.Do("POST", "/rpc", `{"jsonrpc":"2.0","id":1,"method":"session.close","params":{"session_id":"`+c.ID+`"}}`))
	events()
	for _, path := range []string{"/metrics", "/healthz", "/readyz"} {
		say(s.Do("GET", path, ""))
	}
	s.Stop()
	for _, want := range []string{"<secret:TOKEN>", `"event":"console"`, `"har":`, `"isError":true`} {
		if !strings.Contains(strings.ReplaceAll(out.String(), `\u003c`, "<"), want) && !strings.Contains(out.String(), strings.NewReplacer("<", `\u003c`, ">", `\u003e`).Replace(want)) {
			t.Errorf("no %s in what was answered", want)
		}
	}
	noLeaks(t, "the service", out.String())
	noLeaks(t, "its log", s.Log())
	allMarked(t, out.String())
}

// eventsOf subscribes to all events of a session over a socket, and records them
// until end is called.
func eventsOf(t *testing.T, s *pipetest.Service, session string, out *strings.Builder) (end func()) {
	t.Helper()
	ws, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(s.URL, "http")+"/ws", http.Header{"X-Api-Key": {s.Key}})
	if err != nil {
		t.Fatal(err)
	}
	if err := ws.WriteMessage(websocket.TextMessage, []byte(`{"jsonrpc":"2.0","id":1,"method":"events.subscribe","params":{"session_id":"`+session+`"}}`)); err != nil {
		t.Fatal(err)
	}
	_, text, err := ws.ReadMessage() // events arrive from here on
	if err != nil {
		t.Fatal(err)
	}
	all := []string{string(text)}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			_, text, err := ws.ReadMessage()
			if err != nil {
				return
			}
			all = append(all, string(text))
		}
	}()
	return func() {
		_ = ws.SetReadDeadline(time.Now().Add(time.Second))
		<-done
		_ = ws.Close()
		out.WriteString(strings.Join(all, "\n") + "\n")
	}
}

// overMCP calls tools over /mcp.
func overMCP(t *testing.T, s *pipetest.Service, site string, say func(int, string, http.Header)) {
	t.Helper()
	accept := "Accept: application/json, text/event-stream"
	_, _, head := s.Do("POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, accept)
	id := "Mcp-Session-Id: " + head.Get("Mcp-Session-Id")
	s.Do("POST", "/mcp", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, accept, id)
	for _, a := range asked {
		say(s.Do("POST", "/mcp", `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"`+a[0]+`","arguments":`+strings.ReplaceAll(a[1], "SITE", site)+`}}`, accept, id))
	}
}

// The reports of run hold no secrets either.
func TestNothingOfSecretsIsReported(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestSecretsNeverLeave is quick")
	t.Parallel()
	site, dir := leaky(t), t.TempDir()
	var lines strings.Builder
	for _, a := range asked {
		if !strings.HasPrefix(a[0], "none") {
			fmt.Fprintf(&lines, `{"method":"%s","params":%s}`+"\n", a[0], strings.ReplaceAll(a[1], "SITE", site))
		}
	}
	script := filepath.Join(dir, "a.ndjson")
	if err := os.WriteFile(script, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	junit, page := filepath.Join(dir, "j.xml"), filepath.Join(dir, "r.html")
	stdout, stderr, _ := pipetest.Run(t, "", "run", "--secrets", oddFile(t), "--content-boundaries", "--keep-going", "--junit", junit, "--html", page, script)
	pipetest.Has(t, stdout, "{{TOKEN}}", "<secret:")
	noLeaks(t, "stdout", stdout)
	noLeaks(t, "stderr", stderr)
	for _, file := range []string{junit, page} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		noLeaks(t, file, string(text))
	}
}

// A value whose pieces are too short to recognise is masked before the cut.
func TestSecretsAreMaskedBeforeTheCut(t *testing.T) {
	t.Parallel()
	p := pipetest.SharedOn(t, "/form", "--secrets", secretsFile(t))
	pad := strings.Repeat("y", 46)
	p.Call("eval", []any{`document.body.innerHTML = '<p>` + pad + pin + `</p><button>` + pad + strings.Repeat("y", 30) + pin + ` and on</button><div>' + '<i>a</i>'.repeat(95) + '` + pin + `</div>'`})
	address := regexp.MustCompile(`127\.0\.0\.1:\d+`)
	piece := regexp.MustCompile(`48(29?)?(1|5|15)?([^0-9]|$)`)
	check := func(what, got string) {
		t.Helper()
		got = address.ReplaceAllString(got, "") // a port may look like a piece
		if strings.Contains(got, pin[:3]) || !strings.Contains(got, "<secret:PIN>") || piece.MatchString(strings.ReplaceAll(got, "<secret:PIN>", "")) {
			t.Errorf("%s: %s", what, got)
		}
	}
	for _, n := range pipetest.Some([]int{49, 47, 48, 50, 51}, 5) {
		check("page.text", p.Call("page.text", map[string]any{"maxChars": n}))
		check("max", p.Call("text", nil, "max", n))
	}
	check("snapshot", p.Call("snapshot", nil))
	check("find", p.Call("find", []any{"aa"})+"<secret:PIN>")
	check("error", p.Fail("expect-text", []any{"p", "x"}, "timeout", 0.3))
	long := "/form?" + strings.Repeat("y", 165)
	for _, n := range pipetest.Some([]int{0, 1, 2, 3, 4, 5, 6, 7}, 3) {
		p.Call("nav", []any{long + strings.Repeat("y", n) + pin + "and-on-and-on"})
		check("a URL", p.Fail("click", []any{"#none"}, "timeout", 0.2)+"<secret:PIN>")
	}
}
