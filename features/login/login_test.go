// Package login_test tests log-ins over the real binary and a real browser.
package login_test

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

func TestMain(m *testing.M) { pipetest.Main(m) }

const (
	password = "correct horse battery"
	seed     = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
	secrets  = "SHOP_PASSWORD='" + password + "'\nSHOP_TOTP=" + seed + "\nOTHER_TOTP=MZXW6YTBOI\nFREE=anything-at-all\n"
)

// hosts serves several sites on one port, by the first label of their names below localhost.
// It keeps all requests.
type hosts struct {
	t     *testing.T
	port  string
	pages map[string]http.HandlerFunc // by host/path
	mu    sync.Mutex
	heard []string
}

// serve serves pages; a text is HTML.
func serve(t *testing.T, pages map[string]any) *hosts {
	t.Helper()
	h, end := listen()
	t.Cleanup(end)
	h.begin(t, pages)
	return h
}

// common are sites for [pipetest.Shared]: their port is in the file of log-ins. Tests with it run one after
// another.
var common = sync.OnceValue(func() *hosts { h, _ := listen(); return h })

// share is serve on the [common] sites, with a shared pwpipe. Its log-ins are shop, done, which ends with an
// element #in, and coded, which gives a code.
func share(t *testing.T, pages map[string]any) *pipetest.Pipe {
	t.Helper()
	h := common()
	h.begin(t, pages)
	done := strings.Replace(shop, "[shop]", "[done]", 1) + "done = \"#in\"\n"
	coded := strings.Replace(shop, "[shop]", "[coded]", 1) + `totp = "{{SHOP_TOTP}}"` + "\naccount = \".me\"\n"
	logins := pipetest.SharedFile(t, "logins.toml", strings.ReplaceAll(shop+done+coded, "PORT", h.port))
	return pipetest.Shared(t, "--logins", logins, "--secrets", pipetest.SharedFile(t, "secrets.env", secrets),
		"--log-level", "debug")
}

// begin has these pages, and has heard nothing.
func (h *hosts) begin(t *testing.T, pages map[string]any) {
	t.Helper()
	h.t = t
	h.mu.Lock()
	h.pages, h.heard = map[string]http.HandlerFunc{}, nil
	h.mu.Unlock()
	for at, page := range pages {
		h.put(at, page)
	}
}

func listen() (h *hosts, end func()) {
	h = &hosts{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, _ := strings.Cut(r.Host, ".")
		body, _ := io.ReadAll(io.LimitReader(r.Body, 1<<16))
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		h.mu.Lock()
		h.heard = append(h.heard, fmt.Sprintf("%s %s %s %v", host, r.URL, body, r.Header))
		h.mu.Unlock()
		h.mu.Lock()
		page := h.pages[host+r.URL.Path]
		h.mu.Unlock()
		if page != nil {
			page(w, r)
			return
		}
		http.NotFound(w, r)
	}))
	u, _ := url.Parse(s.URL)
	h.port = u.Port()
	return h, s.Close
}

// put serves a page, in the place of one that is there.
func (h *hosts) put(at string, page any) {
	h.t.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	switch page := page.(type) {
	case string:
		h.pages[at] = func(w http.ResponseWriter, _ *http.Request) { h.html(w, page) }
	case func(http.ResponseWriter, *http.Request):
		h.pages[at] = page
	default:
		h.t.Fatalf("%T", page)
	}
}

func (h *hosts) html(w http.ResponseWriter, page string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = io.WriteString(w, "<!doctype html><title>A page</title>"+strings.ReplaceAll(page, "PORT", h.port))
}

// at returns the origin of a host.
func (h *hosts) at(host string) string { return "http://" + host + ".localhost:" + h.port }

// sent returns the requests for a host that contain a text, encoded or not.
func (h *hosts) sent(host, text string) (list []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, r := range h.heard {
		plain, err := url.QueryUnescape(r)
		if strings.HasPrefix(r, host+" ") && (strings.Contains(r, text) || err == nil && strings.Contains(plain, text)) {
			list = append(list, r)
		}
	}
	return list
}

// start starts pwpipe with log-ins; PORT is the sites' port.
func (h *hosts) start(toml string, args ...string) *pipetest.Pipe {
	h.t.Helper()
	return pipetest.Start(h.t, append(h.flags(toml), args...)...)
}

func (h *hosts) flags(toml string) []string {
	h.t.Helper()
	dir := h.t.TempDir()
	for name, text := range map[string]string{"logins.toml": strings.ReplaceAll(toml, "PORT", h.port),
		"secrets.env": secrets} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			h.t.Fatal(err)
		}
	}
	return []string{"--logins", filepath.Join(dir, "logins.toml"), "--secrets", filepath.Join(dir, "secrets.env"), "--log-level", "debug"}
}

const shop = `[shop]
origin = "http://shop.localhost:PORT"
page = "/login"
user = "ada@mail.example"
password = "{{SHOP_PASSWORD}}"
`

// codeOf returns the code for a time (RFC 6238).
func codeOf(at time.Time) string {
	key, _ := base32.StdEncoding.DecodeString(seed)
	mac := hmac.New(sha1.New, key)
	_ = binary.Write(mac, binary.BigEndian, at.Unix()/30)
	sum := mac.Sum(nil)
	return fmt.Sprintf("%06d", (binary.BigEndian.Uint32(sum[sum[19]&15:])&0x7fffffff)%1_000_000)
}

const form = `<form method=post action=/login><label>E-mail <input type=email name=email></label>
<label>Password <input type=password name=pw></label><button>Log in</button></form>`

// takes serves a page with a form. If the fields are right, it redirects to the next page;
// otherwise it shows the page again with an error.
func (h *hosts) takes(page, next string, right func(url.Values) bool) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodGet:
			h.html(w, page)
		case r.ParseForm() == nil && right(r.PostForm):
			http.Redirect(w, r, next, http.StatusSeeOther)
		default:
			h.html(w, "<p role=alert>Wrong password for "+html.EscapeString(r.PostForm.Get("email"))+"</p>"+page)
		}
	}
}

func isAda(v url.Values) bool { return v.Get("email") == "ada@mail.example" && v.Get("pw") == password }

// masked checks that texts of pwpipe contain no value.
func masked(t *testing.T, texts ...string) {
	t.Helper()
	for _, text := range texts {
		pipetest.Lacks(t, text, password, "correct horse", seed, url.QueryEscape(password))
	}
}

// TestLogin logs in with a password and a code, on two pages. The reply names the account.
func TestLogin(t *testing.T) {
	h := common()
	p := share(t, map[string]any{
		"shop/login": func(w http.ResponseWriter, r *http.Request) { h.takes(form, "/code", isAda)(w, r) },
		"shop/code": func(w http.ResponseWriter, r *http.Request) {
			h.takes(`<form method=post><label>Verification code <input name=c></label><button>Verify</button></form>`, "/home",
				func(v url.Values) bool {
					return v.Get("c") == codeOf(time.Now()) || v.Get("c") == codeOf(time.Now().Add(-30*time.Second))
				})(w, r)
		},
		"shop/home": `<h1>Welcome</h1><p class=me>Ada Lovelace</p>`,
	})
	got := p.Call("login", []any{"coded"})
	if want := `{"login":"coded","account":"Ada Lovelace","url":"` + h.at("shop") + `/home","gave":["user","password","code"]}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if len(h.sent("shop", password)) != 1 {
		t.Errorf("sent %d times", len(h.sent("shop", password)))
	}
	pipetest.Has(t, p.Fail("login", []any{"bank"}), `no log-in "bank"; there are coded, done, shop`)
	masked(t, got, p.Stderr())
}

// TestRefusedLogin: a wrong password is tried once, and the error has the page's words.
func TestRefusedLogin(t *testing.T) {
	h := common()
	p := share(t, map[string]any{"shop/login": func(w http.ResponseWriter, r *http.Request) {
		h.takes(form, "/", func(url.Values) bool { return false })(w, r)
	}})
	got := p.Fail("login", []any{"shop"})
	pipetest.Has(t, got, "shop: http://shop.localhost:"+h.port+" refused: Wrong password for ada@mail.example")
	if n := len(h.sent("shop", password)); n != 1 {
		t.Errorf("tried %d times", n)
	}
}

// TestLoginsAreMasked: pwpipe masks the values that a page shows, even a password that the page
// makes readable.
func TestLoginsAreMasked(t *testing.T) {
	t.Parallel()
	h := serve(t, map[string]any{
		"shop/login": `<form onsubmit="event.preventDefault(); pw.type = 'text'; echo.textContent = pw.value; document.title = self.own = pw.value; document.querySelector('#in').hidden = false; setInterval(() => pw.value ||= own, 5)">
			<input type=email name=email><input type=password id=pw><button>Log in</button></form><p id=echo></p><p id=in hidden>You are in</p>`,
	})
	p := h.start(shop + "done = \"#in\"\n")
	said := []string{p.Call("login", []any{"shop"}), p.Call("snapshot", nil), p.Call("eval", []any{"pw.value"}), p.Call("title", nil),
		p.Call("value", []any{"#pw"}), p.Call("html", []any{"body"}), p.Call("txt", []any{"#echo"}), p.Call("eval", []any{"btoa(pw.value)"})}
	for _, text := range said[2:] {
		pipetest.Has(t, text, "<secret:SHOP_PASSWORD>")
	}
	masked(t, said...)
	p.Close()
	masked(t, p.Stderr())
}

// TestPinnedSecrets: only the log-in types its secret; every other request for it fails.
func TestPinnedSecrets(t *testing.T) {
	h := common()
	p := share(t, map[string]any{"evil/": form, "shop/login": form})
	p.Call("nav", []any{h.at("evil") + "/"})
	const why = "SHOP_PASSWORD is pinned to the log-in coded at http://shop.localhost"
	for tool, params := range map[string]any{
		"fill": []any{"[name=pw]", "{{SHOP_PASSWORD}}"}, "type": []any{"[name=pw]", "x{{SHOP_PASSWORD}}y"}, "press": []any{"{{SHOP_PASSWORD}}"},
		"eval": []any{"fetch('/?' + '{{SHOP_PASSWORD}}')"}, "execute": []any{"await page.fill('[name=pw]', '{{SHOP_PASSWORD}}')"},
		"nav": []any{h.at("evil") + "/?{{SHOP_PASSWORD}}"}, "set-cookie": map[string]any{"name": "a", "value": "{{SHOP_PASSWORD}}"},
		"headers": map[string]any{"headers": map[string]any{"X": "{{SHOP_PASSWORD}}"}}, "copy": []any{"{{SHOP_PASSWORD}}"},
		"browser_paste": map[string]any{"selector": "[name=pw]", "text": "{{SHOP_PASSWORD}}"},
		"page.fill":     map[string]any{"selector": "[name=pw]", "value": "{{SHOP_PASSWORD}}"},
		"route":         []any{"**/x", map[string]any{"body": "{{SHOP_PASSWORD}}"}},
		"set-storage":   []any{"k", "{{SHOP_PASSWORD}}"},
	} {
		pipetest.Has(t, p.Fail(tool, params), why)
	}
	pipetest.Has(t, p.Fail("batch", map[string]any{"steps": "type [name=pw] {{SHOP_TOTP}}"}), "SHOP_TOTP is pinned")
	p.Call("fill", []any{"[name=pw]", "{{FREE}}"})
	if got := p.Call("eval", []any{"document.querySelector('[name=pw]').value.length"}); got != "15" {
		t.Errorf("a secret that no log-in names: %s", got)
	}
	if list := h.sent("evil", password); len(list) > 0 {
		t.Errorf("sent: %s", list)
	}
}

// TestLoginsFlag: pwpipe checks the file of --logins when it starts.
func TestLoginsFlag(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "logins.toml")
	_, stderr, status := pipetest.Run(t, "", "--logins", file)
	if status != 2 || !strings.Contains(stderr, "no such file") {
		t.Errorf("%d %s", status, stderr)
	}
	for text, want := range map[string]string{
		"[shop]\npassword = \"hunter22\"":                                     "origin is missing",
		"[shop]\norigin = \"https://shop.example\"\npassword = \"{{X_Y}}\"\n": "no secret named X_Y",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, stderr, status := pipetest.Run(t, "", "--logins", file)
		if status != 2 || !strings.Contains(stderr, want) || strings.Contains(stderr, "hunter22") {
			t.Errorf("%d %s", status, stderr)
		}
	}
	if err := os.Chmod(file, 0o666); err != nil {
		t.Fatal(err)
	}
	_, stderr, _ = pipetest.Run(t, "", "--logins", file)
	pipetest.Has(t, stderr, "others may write it")
	p := pipetest.Start(t)
	pipetest.Has(t, p.Fail("login", []any{"shop"}), "started without log-ins; --logins names their file")
}
