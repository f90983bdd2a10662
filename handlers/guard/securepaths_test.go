package guard_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"pwpipe/internal/pipetest"
)

// secureSite serves TLS. At the end of the test, only the allowed paths may have
// been requested.
func secureSite(t *testing.T, answer http.HandlerFunc, allowed ...string) *httptest.Server {
	t.Helper()
	var mu sync.Mutex
	var paths []string
	a := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		paths = append(paths, r.URL.Path)
		mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(func() {
		a.Close()
		mu.Lock()
		defer mu.Unlock()
		for _, p := range paths {
			if !slices.Contains(allowed, p) {
				t.Errorf("%s came through", p)
			}
		}
	})
	return a
}

// TestScriptsAskForSecurePaths: if the pattern has paths of https, a script's own
// requests are checked against them, by every API and on each redirect.
func TestScriptsAskForSecurePaths(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestEnforcementPoints is quick")
	t.Parallel()
	a := secureSite(t, func(w http.ResponseWriter, r *http.Request) {
		if to := r.URL.Query().Get("to"); to != "" {
			http.Redirect(w, r, to, http.StatusFound)
			return
		}
		body := make([]byte, 100)
		n, _ := r.Body.Read(body)
		fmt.Fprintf(w, "%s %s", r.Method, body[:n])
	}, "/app/x", "/app/fetch", "/app/page", "/app/context", "/app/own", "/app/https", "/app/r", "/app/target", "/app/lax")
	s := pipetest.StartService(t, "ALLOW_HOST_REGEX=^"+regexp.QuoteMeta(a.URL)+"/app(/|$)")
	trusting := s.Open(pipetest.Object{"ignoreHTTPSErrors": true})
	trusting.On("nav", pipetest.Object{"url": a.URL + "/app/x"})
	run := func(c pipetest.Session, code string) string {
		t.Helper()
		return c.On("execute", pipetest.Object{"code": "const U = '" + a.URL + "', https = require('https'), { request } = require('playwright');\n" +
			"const said = async (p) => { try { const r = await p; return typeof r.text === 'function' ? await r.text() : r } catch (e) { return e.message.split('\\n')[0] } };\n" +
			"const plain = (path, o) => new Promise((y, n) => https.get(U + path, { rejectUnauthorized: false, ...o }, (r) => { r.on('data', (d) => y(String(d))); }).on('error', n));\n" + code})
	}
	all := run(trusting, `const own = await request.newContext({ ignoreHTTPSErrors: true });
		const ways = { fetch: (p) => fetch(U + p), page: (p) => page.request.get(U + p), context: (p) => context.request.post(U + p, { data: 'x' }), own: (p) => own.get(U + p), https: (p) => plain(p) };
		const out = {};
		for (const [name, get] of Object.entries(ways)) out[name] = [await said(get('/app/' + name)), await said(get('/other')), await said(get('/app/../other'))];
		out.redirect = [await said(fetch(U + '/app/r?to=/app/target')), await said(fetch(U + '/app/r?to=/other')), await said(page.request.get(U + '/app/r?to=https://192.0.2.1/'))];
		return out`)
	for _, want := range []string{`"fetch":["GET ","`, `"page":["GET ","`, `"context":["POST x","`, `"own":["GET ","`, `"https":["GET ","`, `"redirect":["GET ","`} {
		if !strings.Contains(all, want) {
			t.Errorf("%s is missing in %s", want, all)
		}
	}
	if n := strings.Count(all, "blocked: "); n != 12 {
		t.Errorf("%d of 12 were blocked: %s", n, all)
	}
	// What a script writes on a connection of its own is judged too.
	raw := run(trusting, `const { hostname: host, port } = new URL(U), write = (agent, path) => new Promise((y) => {
			const c = agent.createConnection({ host, port, rejectUnauthorized: false });
			c.on('error', (e) => y(e.message)).on('data', (d) => y(String(d))).on('close', () => y('closed'));
			c.write('GET ' + path + ' HTTP/1.1\r\nHost: ' + host + ':' + port + '\r\n\r\n');
		}), agent = https.globalAgent, http = require('http');
		return [await write(agent, '/app/x'), await write(agent, '/other'), await write(http.globalAgent, '/app/x')]`)
	pipetest.Has(t, raw, `["HTTP/1.1 200 OK`, `"blocked: https:`, `"blocked: http:`)
	strict := s.Open(nil)
	pipetest.Has(t, run(strict, `return [await said(page.request.get(U + '/app/strict')), await said(plain('/app/strict', { rejectUnauthorized: true })), await said(plain('/app/lax'))]`),
		`certificate`, `"GET "`)
	pipetest.Has(t, strict.Refuse(-32003, "execute", pipetest.Object{"code": "await page.request.get('" + a.URL + "/other')"}), "blocked: ", "URLs must match")
}
