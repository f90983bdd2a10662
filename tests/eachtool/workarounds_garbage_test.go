//go:build evidence

package eachtool_test

import (
	"fmt"
	"testing"

	"pwpipe/internal/pipetest"
)

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
	pipetest.UnderRace(t)
	pipetest.Nightly(t, "it is about the memory of a browser")
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
