//go:build evidence

package eachtool_test

import (
	"fmt"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// reopened is a page whose formatting elements are opened again in each later paragraph.
func reopened(paragraphs int) string {
	page := strings.Builder{}
	page.WriteString("<p>")
	for i := range 480 {
		fmt.Fprintf(&page, "<font a=%d>", i)
	}
	return page.String() + "</p>" + strings.Repeat("<p>x", paragraphs)
}

// TestReadOfGrowingPage: a page of one MiB that stands for 150 million elements is refused before it
// takes the memory, and the next one is read. A call that ends early does not hold that one up.
func TestReadOfGrowingPage(t *testing.T) {
	pipetest.Nightly(t, "it is long, and the transcript reads is quick")
	t.Parallel()
	site := pipetest.ServePages(t, map[string]string{"/reopen": reopened(300_000), "/plain": "<p>plain"})
	p := pipetest.Start(t)
	pipetest.Steps(p,
		does("read", pipetest.Object{"url": site + "/reopen", "timeout": 120}, "!takes more than 512 MiB of memory to parse"),
		does("read", list(site+"/plain"), "~plain"),
		does("read", pipetest.Object{"url": site + "/reopen", "timeout": 0.5}, "!"),
		does("read", list(site+"/plain"), "~plain"),
	)
}
