package guard_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// post calls a tool over HTTP.
func post(t *testing.T, s *pipetest.Service, path, body string) (int, string) {
	t.Helper()
	r, err := http.NewRequest("POST", s.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+s.Key)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(b)
}

// The service has the same guard and keeps the same secrets.
func TestServiceIsGuarded(t *testing.T) {
	t.Parallel()
	v := newVictim(t)
	s := pipetest.StartService(t, "--allowed-domains=127.0.0.1", "ALLOW_HOST_REGEX=^https?://", "--secrets="+secretsFile(t), "--log-level=debug")
	if code, body := post(t, s, "/tools/nav", `{"args":["/form"]}`); code != 200 {
		t.Fatal(code, body)
	}
	code, body := post(t, s, "/tools/nav", `{"args":["`+v.url("x")+`"]}`)
	if code != 403 {
		t.Errorf("nav: %d %s", code, body)
	}
	pipetest.Has(t, body, "127.0.0.2 is not an allowed domain")
	code, body = post(t, s, "/tools/nav", `{"args":["/redirect?to=`+v.url("x")+`"]}`)
	if code != 403 {
		t.Errorf("redirect: %d %s", code, body)
	}
	_, _ = post(t, s, "/tools/nav", `{"args":["/form"]}`)
	_, body = post(t, s, "/tools/eval", `{"args":["fetch('`+v.url("x")+`').then(r => r.status, () => 'failed')"]}`)
	pipetest.Has(t, body, "failed")
	_, body = post(t, s, "/rpc", `{"jsonrpc":"2.0","id":1,"method":"session.create","params":{"proxy":{"server":"http://`+v.addr+`"}}}`)
	pipetest.Has(t, body, "-32003", "pwpipe's own proxy is allowed")

	_, _ = post(t, s, "/tools/fill", `{"args":["#name","{{PASSWORD}}"]}`)
	for _, call := range []string{`{"args":["document.querySelector('#name').value"]}`, `{"args":["console.error('{{PIN}}'), document.querySelector('#name').outerHTML + '{{PIN}}'"]}`,
		`{"args":["throw new Error('{{PASSWORD}}')"]}`} {
		_, body = post(t, s, "/tools/eval", call)
		if leaks(body) {
			t.Errorf("%s: %s", call, body)
		}
	}
	s.Stop()
	if leaks(s.Log()) {
		t.Errorf("the log leaks: %s", s.Log())
	}
	if names := v.names(); len(names) > 0 {
		t.Errorf("came through: %v", names)
	}
}
