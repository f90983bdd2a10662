package agent_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestActsAreBrief: what an act says again and again, or of what is gone, takes a line.
func TestActsAreBrief(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestActsAnswerTheOutline is quick")
	t.Parallel()
	other := httptest.NewServer(http.NotFoundHandler()) // by another name: it counts visits, say
	t.Cleanup(other.Close)
	count := strings.Replace(other.URL, "127.0.0.1", "localhost", 1)
	fields := strings.Repeat("<label>Field <input></label>", 20)
	site := pipetest.ServePages(t, map[string]string{
		"/failing": `<button id=go>Go</button><p id=n>0</p><script>go.onclick = async () => {
await Promise.allSettled([fetch('` + count + `/count', {mode: 'no-cors'}), fetch('/none')]); n.textContent++ }</script>`,
		"/dialog": `<button id=go>Go</button><div role=dialog aria-label="Edit it" id=d>` + fields + `<button id=close onclick="d.remove()">Close</button></div>`,
		"/whole":  `<style>main { position: fixed; inset: 0 }</style><main><h1>Not found</h1><a href="#x">Home</a></main>`,
		"/layer":  `<style>div { position: fixed; inset: 0 }</style><a href="#x">Home</a><div><h1>Choose</h1><button>One</button></div>`,
	})
	p := startAgent(t, "/")
	call := pipetest.OverMCP(p)
	open := func(path string) string { return call("nav", pipetest.Object{"url": site + path, "timeout": 60}) }
	click := func(sel string) string { return call("click", pipetest.Object{"sel": sel, "timeout": 60}) }

	open("/failing")
	pipetest.Has(t, click("#go"), "request failed (the first of 2): ")
	for range 2 {
		again := click("#go")
		pipetest.Has(t, again, "/none: 404")
		pipetest.Lacks(t, again, "/count", "the first of")
	}

	open("/dialog")
	gone := click("#close")
	pipetest.Has(t, gone, `- dialog "Edit it"`, " lines in it")
	pipetest.Lacks(t, gone, `- textbox`)

	pipetest.Lacks(t, open("/whole"), "above the rest")
	pipetest.Has(t, open("/layer"), "is open above the rest")
}
