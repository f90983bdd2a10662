package scripts_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"pwpipe/internal/pipetest"
)

// smuggle is a script that adds members to Playwright's message for a new context. It
// also adds them beside the call's name, where they used to be.
const smuggle = `const extra = %s, write = JSON.stringify;
JSON.stringify = function(v, ...rest) {
  const o = v && v.call === 'newContext' && (v.args || v).options;
  return write.call(this, o ? (Object.assign(o, extra), v) : v, ...rest);
};
let c;
try { c = await browser.newContext(); } finally { JSON.stringify = write; }
const q = await c.newPage();
const got = await q.goto(%q).then(() => q.content(), e => e.message);
const cookies = await c.cookies();
await c.close();
write([got, cookies])`

// Members that a script adds to messages to the parent open no file and bypass no
// policy, neither under Playwright's names nor under others that Go would match.
func TestSmuggledOptions(t *testing.T) {
	t.Parallel()
	var reached atomic.Int64
	forbidden := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		reached.Add(1)
		_, _ = w.Write([]byte("forbidden body"))
	}))
	t.Cleanup(forbidden.Close)
	outside := t.TempDir()
	rc, state := filepath.Join(outside, ".bashrc"), filepath.Join(outside, "state.json")
	for path, text := range map[string]string{rc: "before", state: `{"cookies":[{"name":"stolen","value":"1","domain":"127.0.0.1","path":"/","expires":-1,"httpOnly":false,"secure":false,"sameSite":"Lax"}],"origins":[]}`} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	at := strings.Replace(forbidden.URL, "127.0.0.1", "localhost", 1)
	p, _ := underRules(t)
	proxied := fmt.Sprintf(`{%%s: {server: %q}}`, at)
	certificate := `{%s: [{origin: 'https://127.0.0.1:9', cert: 'eA==', key: 'eA=='}]}`
	for _, extra := range []string{
		fmt.Sprintf(`{recordHarPath: %q}`, rc), fmt.Sprintf(`{RecordHarPath: %q}`, rc), fmt.Sprintf(`{RECORDHARPATH: %q}`, rc),
		fmt.Sprintf(`{recordHarPath: %q, recordHarUrlFilter: '**/*'}`, rc), fmt.Sprintf(`{recordHar: {path: %q}}`, rc),
		fmt.Sprintf(`{storageStatePath: %q}`, state), fmt.Sprintf(`{"\u017ftorageStatePath": %q}`, state),
		fmt.Sprintf(`{recordVideo: {dir: %q}}`, outside), fmt.Sprintf(`{RecordVideo: {dir: %q}}`, outside),
		fmt.Sprintf(certificate, "clientCertificates"), fmt.Sprintf(certificate, "ClientCertificates"), fmt.Sprintf(certificate, `"clientCertificate\u017f"`),
		fmt.Sprintf(proxied, "proxy"), fmt.Sprintf(proxied, "Proxy"),
	} {
		r := p.Try("execute", pipetest.Object{"code": fmt.Sprintf(smuggle, extra, at)}, "timeout", 20)
		if r.Error == "" || !strings.Contains(r.Error, "unknown member") && !strings.Contains(r.Error, "proxy") {
			t.Errorf("%s: %s %s", extra, r.Result, r.Error)
		}
		if text, err := os.ReadFile(rc); err != nil || string(text) != "before" {
			t.Fatalf("%s: the file is %.80q, %v", extra, text, err)
		}
	}
	if n := reached.Load(); n > 0 {
		t.Errorf("the forbidden host was asked %d times", n)
	}
	if list, err := os.ReadDir(outside); err != nil || len(list) != 2 {
		t.Errorf("beside the two files there is more: %v, %v", list, err)
	}
	if got := pipetest.Execute(p, "const c = await browser.newContext({viewport: {width: 300, height: 200}}), q = await c.newPage(), n = await q.evaluate(() => innerWidth); await c.close(); n"); got != "300" {
		t.Errorf("a context as it should be: %s", got)
	}
}
