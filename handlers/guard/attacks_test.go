package guard_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
	"pwpipe/internal/text/secrets/secretstest"
)

// A page transforms a secret that was typed into it, and puts its own words everywhere.
// Tools show the secret masked and the words marked.
func TestPagesThatRewrite(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestSecretsNeverLeave is quick")
	t.Parallel()
	const secret = "Tr0ub4dor&3 <horse>"
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set(obey+"-Header", obey)
		http.SetCookie(w, &http.Cookie{Name: obey, Value: "x"})
		fmt.Fprint(w, `<!doctype html><title>t</title><input id="short" maxlength="11"><input id="in"><p id="p"></p><`+strings.ToLower(obey)+`-tag>here it is</`+strings.ToLower(obey)+`-tag>`)
	}))
	t.Cleanup(site.Close)
	p := pipetest.Start(t, "--base-url", site.URL, "--secrets", envFile(t, "PASSWORD='"+secret+"'\n"), "--content-boundaries")
	p.Call("nav", []any{"/"})
	p.Call("fill", []any{"#in", "{{PASSWORD}}"})
	p.Call("events", map[string]any{})
	var said []string
	do := func(tool string, params any, more ...any) {
		id := p.Request(tool, params, more...)
		for {
			line := p.Line()
			said = append(said, line)
			if strings.HasPrefix(line, fmt.Sprintf(`{"id":%d,`, id)) {
				return
			}
		}
	}
	put := func(js string) {
		do("eval", []any{"{ const v = document.querySelector('#in').value, p = document.querySelector('#p'); " + js + "; 0 }"})
		do("html", []any{"body"})
		do("txt", []any{"p"})
		do("text", nil)
		do("snapshot", nil)
		do("execute", map[string]any{"code": "await getCleanHTML({})"})
	}
	for _, js := range []string{
		"p.style.textTransform = 'uppercase'; p.textContent = v",
		"p.innerHTML = [...v].map((c) => c.replace(/[&<>]/, (x) => '&#' + x.charCodeAt(0) + ';')).join('\\u200b')", // invisible characters
		"p.textContent = v.slice(0, 9) + '…'", "p.textContent = '…' + v.slice(-9)", "p.title = v.slice(3, 14)",
		"p.innerHTML = ''; for (const part of v.match(/.{1,9}/g)) p.append(Object.assign(document.createElement('b'), {textContent: part}))",
		"p.textContent = [...v].map((c) => '&#x' + c.charCodeAt(0).toString(16) + ';').join('')", "p.textContent = [...v].map((c) => '\\\\' + c.charCodeAt(0).toString(8).padStart(3, '0')).join('')",
		"p.textContent = btoa(JSON.stringify({u: 'me', p: v}))", "p.textContent = encodeURIComponent(encodeURIComponent(v))", "p.textContent = JSON.stringify(JSON.stringify({v}))",
		"p.id = v", "p.id = 'p'; p.className = v.replace(/ /g, '-')", "p.textContent = v.replace(/ /g, '\\u00a0')", "p.setAttribute('style', '--x: ' + JSON.stringify(v))",
		"document.querySelector('#short').value = v.slice(0, 11); p.textContent = document.querySelector('#short').value",
		"history.pushState(0, '', '/' + v + '?' + v + '#' + v); p.textContent = location.href", "document.cookie = 'c=' + encodeURIComponent(v); p.textContent = document.cookie",
		"console.log({deep: {v: [v, {v}]}}, new Map([[v, v]]), v.repeat(20)); p.textContent = ''",
	} {
		put(js)
	}
	for _, js := range []string{
		"class " + obey + " extends Error { constructor(m) { super(m); this.name = '" + obey + "' } }; setTimeout(() => { throw new " + obey + "('" + obey + "') })", "fetch('/', {method: '" + obey + "'}).catch(() => {})",
		"(0, eval)('console.log(1)\\n//# sourceURL=" + obey + ".js')", "window.name = '" + obey + "'", "console.table(['" + obey + "'])", "localStorage['" + obey + "'] = '" + obey + "'",
		"Object.assign(document.body.appendChild(document.createElement('iframe')), {name: '" + obey + "', src: '/" + obey + "'})", "window.open('/" + obey + "', '" + obey + "')", "alert('" + obey + "')",
	} {
		put(js)
	}
	for _, call := range [][]any{{"requests", nil}, {"response", nil}, {"cookies", nil}, {"storage", nil}, {"frames", nil}, {"pages", nil}, {"dialogs", nil}, {"code-list", nil}, {"debug-scripts", nil}, {"logs.pull", nil},
		{"find", []any{"here"}}, {"page.evaluate", map[string]any{"expression": "({[window.name]: 1, ok: window.name})"}}, {"click", []any{obey + "-tag.none"}, "timeout", 0.2},
		{"nav", []any{"/" + obey + "?x"}}, {"nav", []any{"http://127.0.0.1:1/" + obey}}, {"nav", []any{"file:///" + obey}}, {"url", nil}} {
		do(call[0].(string), call[1], call[2:]...)
	}
	all := strings.Join(said, "\n")
	for _, line := range said {
		if left := secretstest.Leak(line, secret); left != "" {
			t.Errorf("%.120s: %s", line, left)
		}
	}
	if n := strings.Count(all, "<secret:PASSWORD>"); n < 60 {
		t.Errorf("%d masks; the pages did not say what they were to say", n)
	}
	allMarked(t, all)
}
