package guard_test

import (
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/joho/godotenv"

	"pwpipe/internal/pipetest"
	"pwpipe/internal/text/secrets/secretstest"
)

// obey is text that a page wants to be read as an instruction.
const obey = "ZQOBEYZQ"

// oddSecrets are secrets with odd characters, as dotenv returns them.
var oddSecrets = sync.OnceValue(func() map[string]string {
	text, err := godotenv.Marshal(secretstest.Odd)
	if err == nil {
		var back map[string]string
		if back, err = godotenv.Unmarshal(text); err == nil {
			return back
		}
	}
	panic(err)
})

// values are those secrets, except short ones, which also occur in ports and
// times.
func values() []string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(oddSecrets())) {
		if v := oddSecrets()[name]; len([]rune(v)) >= 8 {
			list = append(list, v)
		}
	}
	return list
}

// oddFile writes them to a dotenv file.
func oddFile(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "odd.env")
	if err := godotenv.Write(secretstest.Odd, file); err != nil {
		t.Fatal(err)
	}
	return file
}

// cutsAt are the lengths at which texts are cut, in characters. A value begins
// shortly before each.
var cutsAt = pipetest.Some([]int{24, 30, 50, 60, 80, 100, 160, 200, 300, 500, 640}, 4)

// leaky serves a page with every secret in every place.
func leaky(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Said", url.QueryEscape(strings.Join(values(), obey)))
		for i, v := range values() {
			http.SetCookie(w, &http.Cookie{Name: fmt.Sprintf("c%d", i), Value: url.QueryEscape(v)})
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, leakyHTML())
	})
	mux.HandleFunc("/inner", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<!doctype html><title>%[1]s</title><h2>%[1]s</h2><button>%[1]s</button>", html.EscapeString(values()[0]+" "+obey))
	})
	mux.HandleFunc("/app.js", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
		fmt.Fprint(w, leakyScript())
	})
	mux.HandleFunc("/data", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Echo", url.PathEscape(values()[1]))
		if r.URL.Query().Get("bad") != "" {
			w.WriteHeader(http.StatusInternalServerError)
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"all": values(), obey + " now": values()})
	})
	mux.HandleFunc("/file", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename*=UTF-8''"+url.PathEscape(values()[len(values())-1]+" "+obey+".txt"))
		fmt.Fprint(w, "nothing")
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// leakyHTML has each value as text, attribute, URL, option and so on, and
// across every length at which a text is cut.
func leakyHTML() string {
	var b strings.Builder
	all := strings.Join(values(), " "+obey+" ")
	fmt.Fprintf(&b, `<!doctype html><html lang="en"><head><title>%s</title><meta name="d" content="%[1]s"><style>.s::before { content: %s }</style></head><body>`,
		html.EscapeString(all), cssString(values()[0]))
	for i, v := range values() {
		e := html.EscapeString(v + " " + obey)
		at := "/data?q=" + url.QueryEscape(v) + "#" + url.PathEscape(v)
		fmt.Fprintf(&b, `<h2>%[1]s</h2><p class="s" title="%[1]s" data-x="%[1]s">%[1]s</p><a href="%[2]s">%[1]s</a><button id="b%[3]d" aria-label="%[1]s">x</button>`, e, html.EscapeString(at), i)
		fmt.Fprintf(&b, `<label>%[1]s<input id="i%[2]d" value="%[1]s" placeholder="%[1]s" name="%[1]s"></label><textarea id="t%[2]d">%[1]s</textarea><img alt="%[1]s"><div role="alert">%[1]s</div>`, e, i)
		fmt.Fprintf(&b, `<div class="%[1]s" id="%[1]s"><span>%[1]s</span></div><input type="checkbox" value="%[1]s" aria-label="%[1]s">`, e)
	}
	b.WriteString(`<select id="choice">`)
	for _, v := range values() {
		fmt.Fprintf(&b, `<option value="%[1]s">%[1]s</option>`, html.EscapeString(v))
	}
	b.WriteString(`</select><table id="grid">`)
	for _, v := range values() {
		fmt.Fprintf(&b, `<tr><td>a</td><td>%[1]s</td><td><a href="/inner">%[1]s</a></td></tr>`, html.EscapeString(v))
	}
	b.WriteString(`</table>`)
	for _, v := range values() {
		for _, n := range cutsAt {
			pad := strings.Repeat("x", max(n-len("x ")-6, 1))
			fmt.Fprintf(&b, `<p class="cut">%s</p><button class="cut" title="%[1]s">%[1]s</button><li>%[1]s</li>`, html.EscapeString(pad+" "+v))
		}
	}
	fmt.Fprintf(&b, `<iframe id="inner" name="%s" src="/inner"></iframe><a id="file" href="/file" download>file</a><input id="upload" type="file">`, html.EscapeString(all))
	b.WriteString(`<div id="covered" style="position:relative"><button id="under">u</button><div id="over" style="position:absolute;inset:0" class="` + html.EscapeString(strings.Join(strings.Fields(all), "-")) + `"></div></div>`)
	b.WriteString(`<button id="late" disabled>late</button><script src="/app.js"></script></body></html>`)
	return b.String()
}

func cssString(v string) string {
	raw, _ := json.Marshal(v)
	return string(raw)
}

// leakyScript puts them in the console, errors, dialogs, storage, requests and
// variables.
func leakyScript() string {
	list, _ := json.Marshal(values())
	return `// ` + strings.Repeat("x", 150) + ` ` + strings.NewReplacer("\n", " ", "\r", " ").Replace(strings.Join(values(), " ")) + `
const all = ` + string(list) + `;
const obey = '` + obey + `';
function work(mine, obj) {
  const here = mine + obey;
  debuggable(here, obj);
  return here;
}
function debuggable(text, o) { return text.length + o.deep.length; }
for (const v of all) {
  console.log(v, obey); console.warn({ v, list: [v, v] }, v); console.error(new Error('x'.repeat(190) + v));
  try { localStorage.setItem('k ' + v + obey, v); sessionStorage.setItem(v, obey + v); } catch {}
  fetch('/data?x=' + encodeURIComponent(v) + '&bad=1', { method: 'POST', headers: { 'X-Sent': encodeURIComponent(v) }, body: v + obey }).catch(() => {});
}
setTimeout(() => { throw new Error(obey + ' ' + all.join(' ')); });
window.ask = () => all.map((v) => [alert(v + obey), confirm(v), prompt(v, v)]);
window.run = () => setTimeout(() => all.map((v) => work(v, { deep: v.repeat(9), [v]: v })), 0);
window.open2 = (i) => window.open('/inner?' + encodeURIComponent(all[i]) + '#' + all[i], '_blank');
`
}
