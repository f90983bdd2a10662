package agent_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// unended serves pages that never end, or hold what never comes.
func unended(t *testing.T) string {
	t.Helper()
	stop, came := make(chan struct{}), make(chan struct{}, 1)
	frames := map[string]string{
		"lazy":     `loading=lazy src="/inner" style="display:block;margin-top:9000px"`,
		"hung":     `src="/hang"`,
		"attached": `src="/attachment"`,
		"empty":    `src="/204"`,
		"nested":   `srcdoc="<iframe title=within src=/hang></iframe><button>Outer</button>"`,
		"written":  `id=w`,
		"editable": `id=e src="about:blank"`,
		"code":     `src="javascript:'<button>Code</button>'"`,
		"good":     `src="/inner"`,
	}
	page := "<h1>Frames</h1><button id=b onclick='this.textContent = 1'>Press</button>"
	for _, title := range []string{"hung", "attached", "empty", "nested", "written", "editable", "code", "good", "lazy"} {
		page += fmt.Sprintf("<iframe title=%s %s></iframe>", title, frames[title])
	}
	page += `<script>w.contentDocument.write('<button>Written</button>'); e.contentDocument.designMode = 'on'</script>`
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		say := func(text string) {
			_, _ = w.Write([]byte(text))
			_ = http.NewResponseController(w).Flush()
		}
		hang := func() {
			select {
			case <-stop:
			case <-r.Context().Done():
			}
		}
		begun := "<!doctype html><title>Part</title><h1>Begun</h1><button onclick=\"this.textContent = 'Pressed'\">Early</button>"
		switch r.URL.Path {
		case "/frames":
			say(page)
		case "/many":
			say("<h1>Many</h1>" + strings.Repeat(`<iframe title=lazy loading=lazy src="/inner" style="display:block;margin-top:9000px"></iframe>`, 12))
		case "/inner":
			say("<button>Inner</button>")
		case "/attachment":
			w.Header().Set("Content-Disposition", "attachment")
		case "/204":
			w.WriteHeader(http.StatusNoContent)
		case "/script":
			say(begun + "<script src=/hang></script><p>Behind")
		case "/stream":
			w.Header().Set("Content-Type", "text/event-stream")
			say("data: Begun\n\n")
			hang()
		case "/cut":
			w.Header().Set("Content-Length", "5000")
			say(begun + "<img src=/came>")
			select { // Chromium may drop what it has not read when the connection ends
			case <-came:
			case <-r.Context().Done():
			}
		case "/came":
			came <- struct{}{}
		case "/unended":
			say(begun)
			hang()
		case "/comment":
			say(begun + "<table><tr><td>Cell<!-- and then")
			hang()
		default:
			hang()
		}
	}))
	t.Cleanup(s.Close)
	t.Cleanup(func() { close(stop) })
	return s.URL
}

// A frame without a document is named and not asked, whatever keeps its document away. It is asked once
// it has one.
func TestFramesWithoutADocument(t *testing.T) {
	pipetest.InCI(t, "it is long, and the transcript page-frames is quick")
	t.Parallel()
	at, p := unended(t), pipetest.Shared(t)
	to := func(path string) {
		p.Call("page.goto", pipetest.Object{"url": at + path, "waitUntil": "domcontentloaded"})
	}
	to("/frames")
	var tree string
	pipetest.Eventually(t, "the outline of the frames", func() bool {
		tree = p.Text("snapshot", nil)
		return strings.Contains(tree, `"Inner"`) && strings.Contains(tree, `"Outer"`) && strings.Contains(tree, `"Written"`) &&
			strings.Contains(tree, `"Code"`) && !strings.Contains(tree, "can't be read") // a busy machine is late
	})
	pipetest.Has(t, tree, `iframe "hung" [ref=`, "(no document yet)", "(no document yet, it loads in view)")
	for line := range strings.Lines(tree) {
		waits := strings.Contains(line, `"hung"`) || strings.Contains(line, `"attached"`) || strings.Contains(line, `"empty"`) ||
			strings.Contains(line, `"within"`) || strings.Contains(line, `"lazy"`)
		if strings.Contains(line, "iframe") && waits != strings.Contains(line, "no document yet") {
			t.Errorf("of its document a frame says: %s", line)
		}
	}
	if got := p.Call("find", []string{"Inner"}); !strings.Contains(got, `"count":1`) {
		t.Errorf("find: %s", got)
	}
	p.Call("eval", []string{"document.querySelector('iframe[title=lazy]').scrollIntoView()"})
	pipetest.Eventually(t, "the lazy frame in the outline", func() bool {
		return strings.Count(p.Text("snapshot", nil), `"Inner"`) == 2
	})

	to("/many")
	if got := strings.Count(p.Text("snapshot", nil), "no document yet, it loads in view"); got != 12 {
		t.Errorf("%d of 12 lazy frames are named", got)
	}
}

// While its HTML arrives, the part of a document that is there is outlined, searched and labelled, and
// can be used.
func TestDocumentsThatArrive(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestActsAnswerTheOutline is quick")
	t.Parallel()
	at, p := unended(t), pipetest.Shared(t)
	for _, path := range []string{"/unended", "/script", "/stream", "/cut", "/comment"} {
		p.Call("page.goto", pipetest.Object{"url": at + path, "waitUntil": "commit"})
		var tree string
		pipetest.Eventually(t, path+" in the outline", func() bool {
			tree = p.Text("snapshot", nil)
			return strings.Contains(tree, "Begun") && (path == "/stream" || strings.Contains(tree, "Early"))
		})
		pipetest.Has(t, tree, "document (still arriving, look again for more)\n")
		pipetest.Has(t, p.Text("search", []string{"Begun"}), "Begun", "\n(the document is still arriving, look again for more)")
		pipetest.Has(t, p.Text("search", []string{"Behind"}), "no match\n(the document is still arriving")
		if path == "/stream" {
			continue
		}
		p.Call("click", []string{ref(t, tree, "Early")})
		pipetest.Has(t, p.Text("snapshot", nil), `button "Pressed"`)
	}
	pipetest.Has(t, p.Call("screenshot", pipetest.Object{"labels": true}), "still arriving", `button \"Pressed\"`)
	p.Call("nav", []string{at + "/inner"})
	pipetest.Lacks(t, p.Text("snapshot", nil), "arriving")
}
