package devtools_test

import (
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

// perfPage waits for a style sheet and a script, shows a large picture, forces layouts,
// and works for 0.12 s after that.
const perfPage = `<!doctype html><title>Perf</title><link rel=stylesheet href=/slow.css>
<main><h1>Heading</h1><img src=/picture.png width=600 height=400><p id=p>text</p></main><script src=/app.js></script>`

const perfScript = `
function busy(ms) { for (const end = performance.now() + ms; performance.now() < end;); }
function force() { for (let i = 0; i < 30; i++) { p.style.width = i + 'px'; p.offsetWidth; } }
busy(80); force();
setTimeout(() => {
	busy(120); document.querySelector('h1').style.marginTop = '150px';
	setTimeout(() => { document.title = 'done' }, 100);
}, 500);`

// servePerf serves the page, whose parts take their time.
func servePerf(t testing.TB) string {
	picture := image.NewRGBA(image.Rect(0, 0, 300, 200))
	noise := rand.New(rand.NewPCG(1, 2))
	for i := range picture.Bounds().Dx() * picture.Bounds().Dy() { // a plain picture does not count for LCP
		picture.Set(i%300, i/300, color.Gray{uint8(noise.Uint32())})
	}
	var file bytes.Buffer
	if err := png.Encode(&file, picture); err != nil {
		t.Fatal(err)
	}
	type part struct {
		kind, text string
		takes      time.Duration
	}
	parts := map[string]part{
		"/":            {"text/html", perfPage, 100 * time.Millisecond},
		"/app.js":      {"text/javascript", perfScript, 50 * time.Millisecond},
		"/slow.css":    {"text/css", "h1 { color: red }", 200 * time.Millisecond},
		"/picture.png": {"image/png", file.String(), 150 * time.Millisecond},
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		part, ok := parts[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		time.Sleep(part.takes)
		w.Header().Set("Content-Type", part.kind)
		_, _ = w.Write([]byte(part.text))
	}))
	t.Cleanup(site.Close)
	return site.URL
}

// figure is a number in a text.
func figure(t testing.TB, text, pattern string) float64 {
	t.Helper()
	m := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("no %s in\n%s", pattern, text)
	}
	n, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestPerfTrace(t *testing.T) {
	t.Parallel()
	site := servePerf(t)
	p, dir := startIn(t)
	path := filepath.Join(dir, "trace.json")
	pipetest.Has(t, p.Fail("perf-trace-stop", []string{path}), "is not being recorded; perf-trace-start begins it")
	p.Call("perf-trace-start", nil)
	pipetest.Has(t, p.Fail("perf-trace-start", nil), "recorded already; perf-trace-stop ends it")
	p.Call("nav", []string{site})
	p.Call("expect-title", []string{"done"})
	var v vitals
	pipetest.Eventually(t, "the picture is painted", func() bool { // title and load come before, on a busy machine
		v = pipetest.Get[vitals](p, "vitals", nil)
		return v.FCP != nil && v.LCP != nil && v.LCP.Element == "img" && v.CLS.Score > 0
	})
	text := pipetest.Decode[string](t, p.Call("perf-trace-stop", []string{path}))

	pipetest.Has(t, text, path+": ", "navigated to "+site, "IMG", site+"/picture.png\n", "force in "+site+"/app.js",
		": stylesheet "+site+"/slow.css", ": script "+site+"/app.js")
	if at := figure(t, text, `LCP ([\d.]+) ms`); v.LCP == nil || v.LCP.Element != "img" || at < v.TTFB.MS {
		t.Errorf("LCP %v, vitals say %+v", at, v.LCP)
	}
	first, load := figure(t, text, `first byte ([\d.]+) ms`), figure(t, text, `loaded in ([\d.]+)`)
	if first < 100 || load < 140 || first > v.FCP.MS {
		t.Errorf("first byte %v, loaded in %v, vitals %+v", first, load, v.TTFB)
	}
	if shifted := figure(t, text, `CLS ([\d.]+)`); shifted != v.CLS.Score || shifted == 0 {
		t.Errorf("CLS %v, vitals say %v", shifted, v.CLS.Score)
	}
	if ms := figure(t, text, `([\d.]+) ms, \d+ times: `+site+`/app.js`); ms < 190 {
		t.Errorf("the script worked for 0.2 s:\n%s", text)
	}
	if n := figure(t, text, `(\d+) long tasks`); n < 2 || figure(t, text, `style (\d+) times`) < 30 {
		t.Errorf("long tasks and styles:\n%s", text)
	}

	raw, err := os.ReadFile(path)
	var trace struct {
		TraceEvents []struct{ Name, Cat, Ph string }
		Metadata    struct{ Source string }
	}
	if err != nil || json.Unmarshal(raw, &trace) != nil || len(trace.TraceEvents) < 100 ||
		trace.Metadata.Source != "DevTools" {
		t.Fatalf("%d events of a trace, %v", len(trace.TraceEvents), err)
	}
	seen := map[string]bool{}
	for _, e := range trace.TraceEvents {
		seen[e.Name] = true
	}
	for _, name := range []string{"TracingStartedInBrowser", "RunTask", "Layout", "ProfileChunk", "navigationStart"} {
		if !seen[name] {
			t.Errorf("%s is missing, which DevTools needs", name)
		}
	}
	pipetest.Has(t, p.Fail("perf-trace-stop", []string{path}), "is not being recorded")

	// A page that goes takes its recording with it, and another page can have one.
	page := pipetest.Decode[string](t, p.Call("new-page", []string{"c1"}))
	p.Call("perf-trace-start", nil, "page", page)
	pipetest.Has(t, p.Fail("perf-trace-start", nil), "the browser records another trace, and can't record two")
	p.Call("close-page", []string{page})
	pipetest.Eventually(t, "another one begins", func() bool { return p.Try("perf-trace-start", nil).Error == "" })
	pipetest.Has(t, p.Fail("perf-trace-stop", []string{"/etc/trace.json"}), "outside of the allowed folders")
	pipetest.Has(t, p.Fail("perf-trace-stop", []string{filepath.Join(dir, "trace.zip")}), "expected a .json file")
	pipetest.Has(t, p.Call("perf-trace-stop", []string{path}), "without a navigation")
}

// TestPerfTraceOfTwoSessions: a trace has nothing of the browser's other sessions.
func TestPerfTraceOfTwoSessions(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestPerfTrace is quick")
	t.Parallel()
	dir := t.TempDir()
	site := pipetest.ServePages(t, map[string]string{"/own": "<p>own",
		"/lantern": "<iframe src=/lantern2></iframe>", "/lantern2": "<p>two"})
	s := pipetest.StartService(t, "--allow-dir="+dir)
	one, two := s.Open(nil), s.Open(nil)
	two.On("page.goto", map[string]any{"url": site + "/lantern?before"})
	one.On("page.goto", map[string]any{"url": site + "/own?before"})
	one.On("perf-trace-start", nil)
	s.Fail(-32006, "perf-trace-start", two.With(nil))
	mark := func(s pipetest.Session, name string) {
		s.On("eval", map[string]any{"code": "performance.mark('" + name + "'); console.timeStamp('" + name + "'); " +
			"new Function('//# sourceURL=" + name + "\\n1')(); 1"})
	}
	for range 3 {
		one.On("page.goto", map[string]any{"url": site + "/own?during"})
		mark(one, "owned")
		two.On("page.goto", map[string]any{"url": site + "/lantern?during"})
		mark(two, "lantern")
		three := s.Open(nil)
		three.On("page.goto", map[string]any{"url": site + "/lantern?late"})
		mark(three, "lantern")
	}
	path := filepath.Join(dir, "trace.json")
	answer := one.On("perf-trace-stop", map[string]any{"path": path})
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	pipetest.Has(t, string(raw), site+"/own?before", site+"/own?during", `"owned"`)
	pipetest.Lacks(t, string(raw)+answer, "lantern", "command_line", "os-name")
}
