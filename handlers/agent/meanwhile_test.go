package agent_test

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// What the page did by itself between two calls is told by the next reply, once, an act's or not.
func TestMeanwhileIsTold(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestActsSayWhatTheyDid is quick")
	t.Parallel()
	site := pipetest.ServePages(t, map[string]string{"/": `<p id=out>-</p><button id=dead>Dead</button><script>
const later = f => setTimeout(() => { f(); setTimeout(() => out.textContent = 'done', 100) }, 500);
const ways = {
	confirm: () => later(() => confirm('Overwrite?')),
	alert: () => { const w = new Worker('data:text/javascript,setTimeout(() => postMessage(1), 500)'); w.onmessage = () => later(() => alert('From a worker')) },
	popup: () => later(() => window.open('about:blank')),
	error: () => later(() => setTimeout(() => { throw new Error('late boom') })),
	rejected: () => later(() => { Promise.reject(new Error('late no')) }),
};
for (const way in ways) {
	const b = document.createElement('button');
	b.id = way, b.textContent = way, b.onclick = ways[way];
	document.body.append(b);
}
</script>`})
	p := start(t, site+"/")
	call := pipetest.OverMCP(p)
	said := map[string]string{
		"confirm":  `→ before this call: confirm "Overwrite?" was dismissed`,
		"alert":    `→ before this call: alert "From a worker" was dismissed`,
		"popup":    "→ before this call: opened p2 (about:blank); calls go on with p1",
		"error":    "→ before this call: error: late boom",
		"rejected": "→ before this call: error: late no",
	}
	next := map[string]func() string{
		"confirm":  func() string { return call("snapshot", pipetest.Object{}) },
		"alert":    func() string { return call("txt", pipetest.Object{"sel": "#out"}) },
		"popup":    func() string { return call("click", pipetest.Object{"sel": "#dead"}) },
		"error":    func() string { return call("click", pipetest.Object{"sel": "#nowhere", "timeout": 1}) },
		"rejected": func() string { return call("eval", pipetest.Object{"code": "1"}) },
	}
	for _, way := range []string{"confirm", "alert", "popup", "error", "rejected"} {
		call("eval", pipetest.Object{"code": "out.textContent = '-'"})
		call("click", pipetest.Object{"sel": "#" + way})
		pipetest.Eventually(t, "the page's "+way, func() bool { return p.Text("txt", []string{"#out"}) == "done" })
		got := next[way]()
		pipetest.Has(t, got, said[way])
		if n := strings.Count(got, "before this call"); n != 1 {
			t.Errorf("%s: %d lines of what happened before: %s", way, n, got)
		}
		pipetest.Lacks(t, call("snapshot", pipetest.Object{}), "before this call")
	}
	// What another page did is that page's.
	other := p.Text("new-page", []string{"c1"})
	p.Call("nav", []string{site}, "page", other)
	p.Call("eval", []string{"setTimeout(() => { setTimeout(() => out.textContent = 'done', 100); throw new Error('elsewhere') }); 1"}, "page", other)
	pipetest.Eventually(t, "the other page's error", func() bool { return p.Text("txt", []string{"#out"}, "page", other) == "done" })
	pipetest.Lacks(t, call("snapshot", pipetest.Object{"page": "p1"}), "elsewhere")
}

// A page that hung and was replaced is named by the next reply.
func TestReplacedPageIsTold(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestActsSayWhatTheyDid is quick")
	t.Parallel()
	at := unended(t)
	p := startTelling(t, at+"/inner")
	call := pipetest.OverMCP(p)
	call("click", pipetest.Object{"sel": "button"})
	// A request that the page waits for in this way can't be interrupted.
	stuck := call("eval", pipetest.Object{"code": "const x = new XMLHttpRequest(); x.open('GET', '/hang', false); x.send()", "timeout": 2})
	got := call("snapshot", pipetest.Object{})
	if said := "→ before this call: page p1 is gone: it hung and was closed; calls go on with p2"; !strings.Contains(got, said) {
		t.Errorf("after %s: %s", stuck, got)
	}
	pipetest.Lacks(t, call("snapshot", pipetest.Object{}), "before this call")
}
