package fastpath_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"pwpipe/handlers/fastpath"
	"pwpipe/internal/pipetest"
)

func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// read is one call of the table.
type read struct {
	tool, sel string
	params    []any
}

// readsOf returns reads of a selector. Most tools wait if nothing matches, so
// then only the others are called; two also wait for a hidden element.
func readsOf(s *session, sel string) (list []read) {
	add := func(tool string, params ...any) { list = append(list, read{tool, sel, params}) }
	add("vis", sel)
	add("count", sel)
	add("all", sel)
	n := s.try(s.ctx, "count", sel) // the count itself is compared as well
	switch {
	case n == "0":
		return list
	case n[0] == '!': // all errors for a selector are alike
		add("txt", sel)
		add("links", sel)
		return list
	}
	for _, tool := range []string{"txt", "html", "value", "text"} {
		add(tool, sel)
	}
	add("attr", sel, "id")
	add("attr", sel, "none")
	if s.try(s.ctx, "vis", sel+" >> nth=0") == "true" {
		add("links", sel)
		add("table", sel)
	}
	return list
}

// TestBothWays reads pages with some 350 selectors and ten tools, on the fast
// path and by the driver, one by one and concurrently. Results and errors are
// identical.
func TestBothWays(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.FileServer(http.Dir("testdata")))
	t.Cleanup(site.Close)
	for _, name := range pipetest.Sample([]string{"shadow", "form", "big"}, 2) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t)
			s.call("nav", site.URL+"/"+name+".html")
			if name != "form" { // also a document that has the library ready
				for range 2 {
					s.page()
					s.call("txt", "body")
					s.call("nav", site.URL+"/"+name+".html")
				}
			}
			raw, err := os.ReadFile("testdata/" + name + ".txt")
			if err != nil {
				t.Fatal(err)
			}
			compare(s, pipetest.Sample(strings.Split(strings.TrimSpace(string(raw)), "\n"), 16))
		})
	}
}

func compare(s *session, selectors []string) {
	p := s.page()
	// Several at a time: most of the time passes between processes.
	perSelector := make([][]read, len(selectors))
	together(len(selectors), func(i int) { perSelector[i] = readsOf(s, selectors[i]) })
	reads := slices.Concat(perSelector...)
	for _, tool := range []string{"title", "text", "links", "url"} {
		reads = append(reads, read{tool: tool})
	}
	for _, text := range []string{"a", "Eggs", "row 29", "nothing such", "shadow", "framed"} {
		reads = append(reads, read{tool: "find", params: []any{text}})
	}
	want := make([]string, len(reads))
	together(len(reads), func(i int) { want[i] = s.try(fastpath.Without(s.ctx), reads[i].tool, reads[i].params...) })
	missed := map[string]int{}
	for i, r := range reads {
		before := fastpath.Counts(p).Answers
		if got := s.try(s.ctx, r.tool, r.params...); got != want[i] {
			s.Errorf("%s %s\n the direct line: %.300s\n the driver:      %.300s", r.tool, encode(r.params), got, want[i])
		}
		if after := fastpath.Counts(p).Answers; after == before && want[i][0] != '!' {
			missed[r.tool+" "+r.sel]++
		}
	}
	s.Logf("%d reads; by the driver alone: %v", len(reads), missed)
	if len(missed) > len(reads)/10 {
		s.Errorf("%d of %d reads did not take the direct line: %v", len(missed), len(reads), missed)
	}
	together(len(reads), func(i int) {
		if got := s.try(s.ctx, reads[i].tool, reads[i].params...); got != want[i] {
			s.Errorf("among others: %s %s\n got  %.300s\n want %.300s", reads[i].tool, encode(reads[i].params), got, want[i])
		}
	})
}

// together does n things, eight at a time.
func together(n int, do func(i int)) {
	var all sync.WaitGroup
	for part := range 8 {
		all.Go(func() {
			for i := part; i < n; i += 8 {
				do(i)
			}
		})
	}
	all.Wait()
}
