package workarounds_test

import (
	"fmt"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

func TestMain(m *testing.M) { pipetest.Main(m) }

// documents is how many documents the page's renderer holds.
func documents(p *pipetest.Pipe) int {
	p.T.Helper()
	return pipetest.Get[struct{ Result int }](p, "execute", []string{`const cdp = await getCDPSession({page});
const {documents} = await cdp.send('Memory.getDOMCounters');
await cdp.detach();
documents`}).Result
}

// goes has the page show that many documents.
func goes(p *pipetest.Pipe, times int) {
	p.T.Helper()
	for i := range times {
		p.Call("nav", []string{fmt.Sprintf("/form?%d", i)})
	}
}

// TestDocumentsAreLetGo: of the documents that a page has left, its renderer
// keeps no more than some.
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

// TestCollectionKeepsNobodyWaiting: while requests wait for the page none of its
// documents go, and when the last has been answered they do.
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
	if n := strings.Count(p.Stderr(), collects); n != 1 { // or it was while requests waited, too
		t.Errorf("%d times, after %d documents", n, many)
	}
}

// collects is what the log says.
const collects = "asked a renderer to collect its garbage"
