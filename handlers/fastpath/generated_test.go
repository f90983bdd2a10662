package fastpath_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"pwpipe/handlers/fastpath"
	"pwpipe/handlers/tool"
	"pwpipe/internal/pipetest"
)

// TestGenerated asks for the generated selector of elements on the fast path and by the driver.
// The answers are identical, and those in the main frame come on the fast path.
func TestGenerated(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestBothWays is quick")
	t.Parallel()
	site := httptest.NewServer(http.FileServer(http.Dir("testdata")))
	t.Cleanup(site.Close)
	for _, name := range pipetest.Some([]string{"shadow", "form"}, 2) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t)
			s.call("nav", site.URL+"/"+name+".html")
			p := s.page()
			raw, err := os.ReadFile("testdata/" + name + ".txt")
			if err != nil {
				t.Fatal(err)
			}
			list := pipetest.Sample(strings.Split(strings.TrimSpace(string(raw)), "\n"), 12)
			found, direct := 0, 0
			for _, sel := range append(list, "body", "#none", "h1 >> nth=0") {
				want, failed := tool.Generated(fastpath.Without(s.ctx), p, p.PW.MainFrame(), sel, "data-testid")
				before := fastpath.Counts(p).Answers
				got, err := tool.Generated(s.ctx, p, p.PW.MainFrame(), sel, "data-testid")
				if got != want || (err == nil) != (failed == nil) {
					t.Errorf("%s: %q, %v; by the driver %q, %v", sel, got, err, want, failed)
				}
				if want != "" {
					found++
				}
				if after := fastpath.Counts(p).Answers; after > before {
					direct++
				}
			}
			if found == 0 || direct < found*9/10 {
				t.Errorf("%d of %d answers came on the fast path", direct, found)
			}
		})
	}
}
