package workarounds_test

import (
	"fmt"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

func TestMain(m *testing.M) { pipetest.Main(m) }

// documents returns the number of documents in the page's renderer.
func documents(p *pipetest.Pipe) int {
	p.T.Helper()
	return pipetest.Get[struct{ Result int }](p, "execute", []string{`const cdp = await getCDPSession({page});
const {documents} = await cdp.send('Memory.getDOMCounters');
await cdp.detach();
documents`}).Result
}

// goes shows that many documents in the page.
func goes(p *pipetest.Pipe, times int) {
	p.T.Helper()
	for i := range times {
		p.Call("nav", []string{fmt.Sprintf("/form?%d", i)})
	}
}

// TestDocumentsAreLetGo: a renderer keeps only some of the documents that its
// page has left.
func TestDocumentsAreLetGo(t *testing.T) {
	t.Parallel()
	p := pipetest.StartSite(t)
	goes(p, 20)
	before := documents(p)
	if before < 20 {
		t.Skipf("this Chromium lets go of documents by itself: %d after 20", before)
	}
	goes(p, 5)
	for range 200 { // nobody waits for the collection, so it may come a call later
		if documents(p) < before {
			return
		}
	}
	t.Errorf("%d documents after 25, of %d after 20", documents(p), before)
}

// TestCollectionKeepsNobodyWaiting: documents are collected only when no request
// for the page is waiting.
func TestCollectionKeepsNobodyWaiting(t *testing.T) {
	pipetest.InCI(t, "TestDocumentsAreLetGo covers its core")
	t.Parallel()
	p := pipetest.StartSite(t, "--log-level", "debug")
	p.Call("nav", []string{"/form"})
	const many = 60
	var all strings.Builder
	for i := range many {
		fmt.Fprintf(&all, `{"id":%d,"method":"nav","params":["/form?%d"]}`+"\n", i, i)
	}
	p.Send(strings.TrimSuffix(all.String(), "\n"))
	for range many {
		p.Reply()
	}
	pipetest.Eventually(t, "the garbage is collected", func() bool { return strings.Contains(p.Stderr(), collects) })
	if n := strings.Count(p.Stderr(), collects); n != 1 { // more than one: it also ran while requests waited
		t.Errorf("%d times, after %d documents", n, many)
	}
}

// collects is the log's text.
const collects = "asked a renderer to collect its garbage"
