//go:build evidence

package eachtool_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// The timeout also bounds a screenshot, for which Playwright waits for fonts.
func TestBrowserToolPictureInTime(t *testing.T) {
	pipetest.Nightly(t, "it is long, and the transcript browser-page is quick")
	t.Parallel()
	b := startBrowserTool(t)
	late := make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, `<style>@font-face { font-family: late; src: url(/font) }</style>text<script>
			onload = () => setTimeout(() => { document.body.style.fontFamily = 'late' })</script>`)
	})
	mux.HandleFunc("/font", func(http.ResponseWriter, *http.Request) { <-late })
	site := httptest.NewServer(mux)
	t.Cleanup(site.Close)
	t.Cleanup(func() { close(late) })
	b.done(t, 1, pipetest.Object{"action": "launch"})
	b.done(t, 1, pipetest.Object{"action": "navigate", "url": site.URL, "timeout": 3})
	b.refused(t, "there was no picture within 1 s", pipetest.Object{"action": "screenshot", "timeout": 1})
}

// network_idle waits for the requests of a page or a click. timeout waits that
// long. The upper bound holds.
func TestBrowserToolWaiting(t *testing.T) {
	pipetest.UnderRace(t)
	pipetest.Nightly(t, "it waits for what never comes")
	t.Parallel()
	b := startBrowserTool(t)
	b.done(t, 1, pipetest.Object{"action": "launch"})
	r := b.done(t, 1, pipetest.Object{"action": "navigate", "url": b.site + "/projects", "content_mode": "html"})
	if !strings.Contains(content(t, r), `data-testid="project"`) { // a script fetches them, in nearly a second
		t.Error("the projects were not waited for")
	}
	b.done(t, 1, pipetest.Object{"action": "navigate", "url": b.site + "/form"})
	r = b.done(t, 1, pipetest.Object{"action": "click", "selector": "#show-late", "wait_condition": "timeout", "timeout": 3, "content_mode": "html"})
	if !strings.Contains(content(t, r), "Here at last") { // appears a second later
		t.Error("the time was not waited")
	}
	b.done(t, 1, pipetest.Object{"action": "navigate", "url": b.site + "/streams"})
	r = b.done(t, 1, pipetest.Object{"action": "click", "selector": "#sse-start", "timeout": 4}) // an endless stream
	if !strings.Contains(r.Stdout, "still busy after 4 s") {
		t.Error(r.Stdout)
	}
	r = b.done(t, 1, pipetest.Object{"action": "navigate", "url": b.site + "/never", "timeout": 1})
	pipetest.Has(t, r.Stdout, "still loading: no answer yet from "+b.site+"/never/image.svg", "still busy after 1 s")
}

// The abstract lists the usable elements, grep finds it, and every selector that
// it prints matches exactly the element that it names.
func TestBrowserToolAbstract(t *testing.T) {
	pipetest.Nightly(t, "it is long, and the transcript browser-page is quick")
	t.Parallel()
	b := startBrowserTool(t)
	b.done(t, 1, pipetest.Object{"action": "launch"})
	line := regexp.MustCompile(`(?m)^\[(\w+)\] (.*) -> (.+)$`)
	b.Call("playwright_browser", pipetest.Object{"action": "list"})
	for _, path := range []string{"/", "/form", "/shop", "/table?rows=1000", "/frames", "/shadow", "/login", "/article", "/admin", "/files", "/dialogs", "/hostile"} {
		text := content(t, b.done(t, 1, pipetest.Object{"action": "navigate", "url": b.site + path}))
		found := line.FindAllStringSubmatch(text, -1)
		if len(found) == 0 {
			t.Errorf("%s: nothing in %s", path, text)
		}
		// The same page in a browser whose tools can count.
		b.Call("nav", list(b.site+path))
		seen := map[string]bool{}
		for i, m := range found {
			if seen[m[3]] {
				t.Errorf("%s: %s is printed twice", path, m[3])
			}
			seen[m[3]] = true
			if i > 100 && i < len(found)-20 { // a table of 1,000 links
				continue
			}
			if got := b.Call("count", list(m[3])); got != "1" {
				t.Errorf("%s: %s matches %s", path, m[0], got)
			}
		}
		if path == "/form" {
			for _, want := range []string{
				"\n[link] Shop -> a[href=\"/shop\"]\n  text: \"Shop\"\n",
				"\n[button] Submit -> button#submit\n  text: \"Submit\"\n",
				"\n[button] An input button -> input#input-button\n",
				"\n[input] Full name (required) -> input#name\n  type: text\n",
				"\n[input] Password -> input#password\n  type: password\n",
				"\n[input] Message -> textarea#message\n  type: textarea\n",
				"\n[select] Country -> select#country\n  options: Choose…, Germany, France, Norway, Japan, India, Nowhere\n",
				"\n[checkbox] I accept the terms -> input#terms\n  state: not checked\n",
				"\n[radio] Free -> input[value=\"free\"]\n  state: checked\n  value: free\n",
				"\n[button] Disabled -> button#disabled-button\n  text: \"Disabled\"\n  state: disabled\n",
			} {
				if !strings.Contains(text, want) {
					t.Errorf("no %q in\n%s", want, text)
				}
			}
			if strings.Contains(text, "button#hidden") {
				t.Error("what is hidden is listed")
			}
		}
	}
}

// With --lang zh the texts are Chinese, in the specification's format.
func TestBrowserToolChinese(t *testing.T) {
	pipetest.Nightly(t, "it is long, and the transcript browser-page is quick")
	t.Parallel()
	b := startBrowserTool(t, "--lang", "zh")
	b.refused(t, "未启动", pipetest.Object{"action": "screenshot"})
	b.done(t, 1, pipetest.Object{"action": "launch"})
	text := content(t, b.done(t, 1, pipetest.Object{"action": "navigate", "url": b.site + "/form"}))
	for _, want := range []string{"操作: navigate\nURL: " + b.site + "/form\n时间: 20", "\n\n=== 可交互控件 ===\n\n", "\n[链接] Shop -> a[href=\"/shop\"]\n  文本: \"Shop\"\n",
		"\n[按钮] Submit -> button#submit\n  文本: \"Submit\"\n", "\n[输入] Password -> input#password\n  类型: password\n",
		"\n[选择] Country -> select#country\n  选项: Choose…, Germany", "\n[复选框] ", "\n[单选框] "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	b.refused(t, "URL 无效", pipetest.Object{"action": "navigate", "url": "x"})
	b.refused(t, "type 需要 text 参数", pipetest.Object{"action": "type", "selector": "#name"})
	b.refused(t, `操作失败：click: 1 秒内没有元素匹配 "#nowhere"（`+b.site, pipetest.Object{"action": "click", "selector": "#nowhere", "timeout": 1})
	b.refused(t, "参数无效：action: 应为 launch,", pipetest.Object{"action": "jump"})
	b.refused(t, "操作失败：", pipetest.Object{"action": "navigate", "url": "http://127.0.0.1:1/"})
	if _, stderr, status := pipetest.Run(t, "", "--lang", "fr"); status != 2 || !strings.Contains(stderr, "expected en or zh") {
		t.Errorf("%d %s", status, stderr)
	}
}

// Failures are replies with success false.
func TestBrowserToolErrors(t *testing.T) {
	pipetest.Nightly(t, "it is long, and the transcript browser-page is quick")
	t.Parallel()
	b := startBrowserTool(t)
	for _, action := range []string{"navigate", "click", "type", "screenshot"} {
		b.refused(t, `browser "default" is not launched; call it with action launch first`, pipetest.Object{"action": action, "url": b.site, "selector": "a"})
	}
	b.done(t, 1, pipetest.Object{"action": "launch"})
	for _, url := range []string{"", "form", "ftp://x/", "file:///etc/passwd", "javascript:alert(1)", "http://", "HTTPS:x"} {
		b.refused(t, "must start with http:// or https://", pipetest.Object{"action": "navigate", "url": url})
	}
	b.refused(t, "nothing listens there", pipetest.Object{"action": "navigate", "url": "http://127.0.0.1:47"})
	b.done(t, 1, pipetest.Object{"action": "navigate", "url": b.site + "/form"})
	b.refused(t, `nothing matches "#none" after 3 s`, pipetest.Object{"action": "click", "selector": "#none", "timeout": 3})
	b.refused(t, "type needs a text", pipetest.Object{"action": "type", "selector": "#name"})
	b.refused(t, `nothing matches "//nav[@id='none']" after 3 s`, pipetest.Object{"action": "type", "selector": "//nav[@id='none']", "text": "x", "timeout": 3})
	b.refused(t, "not visible", pipetest.Object{"action": "click", "selector": "#hidden", "timeout": 3})
	b.refused(t, "not an <input>", pipetest.Object{"action": "type", "selector": "h1", "text": "x", "timeout": 30})
	b.refused(t, "not a valid selector", pipetest.Object{"action": "click", "selector": "a[", "timeout": 30})
	b.refused(t, "click needs a selector", pipetest.Object{"action": "click"})
	b.refused(t, `expected one of launch, navigate`, pipetest.Object{"action": "dance"})
	b.refused(t, `missing parameter "action"`, pipetest.Object{})
	b.refused(t, `unknown parameter "colour"`, pipetest.Object{"action": "list", "colour": "red"})
	b.refused(t, "expected one of network_idle, timeout", pipetest.Object{"action": "list", "wait_condition": "load"})
	b.done(t, 1, pipetest.Object{"action": "navigate", "url": b.site + "/form"}) // nothing was lost
}

// refused is act that must fail with this text.
func (b *browserTool) refused(t *testing.T, want string, params pipetest.Object) {
	t.Helper()
	if r := b.act(t, params); r.Success || r.Stdout != "" || len(r.Files) != 0 || !strings.Contains(r.Stderr, want) {
		t.Errorf("%v: %+v, want %q", params, r, want)
	}
}
