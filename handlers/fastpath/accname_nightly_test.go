//go:build evidence

package fastpath_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"pwpipe/handlers/fastpath"
	"pwpipe/handlers/refs"
)

// attacomm is what the pages of web-platform-tests load to say which names they expect.
const attacomm = `self.setup = () => {};
self.steps = [];
self.ATTAcomm = class {
	constructor(data) {
		for (const step of data.steps) for (const [kind, property, verb, value] of step.test.ATK || []) {
			if (kind === 'property' && property === 'name' && verb === 'is' && typeof value === 'string') steps.push([step.element, value]);
		}
	}
};`

// notOurs are pages whose names no browser gives, or the specification leaves open, with the
// reasons.
var notOurs = map[string]string{
	"name_test_case_659-manual.html": "it expects a title between texts of ::before and ::after",
	"name_test_case_660-manual.html": "it expects a title between texts of ::before and ::after",
	"name_test_case_751-manual.html": "browsers don't name a file input by its title",
	"name_file-title-manual.html":    "browsers don't name a file input by its title",
}

// TestAccname compares the names in our tree with those that web-platform-tests expect.
// PWPIPE_TEST_PLAYWRIGHT names a checkout of microsoft/playwright, which has these pages.
func TestAccname(t *testing.T) {
	root := os.Getenv("PWPIPE_TEST_PLAYWRIGHT")
	if root == "" {
		t.Skip("PWPIPE_TEST_PLAYWRIGHT names no checkout of microsoft/playwright")
	}
	dir := filepath.Join(root, "tests", "assets", "wpt", "accname", "manual")
	pages, _ := filepath.Glob(filepath.Join(dir, "name_*.html"))
	if len(pages) < 100 {
		t.Fatalf("%d pages in %s", len(pages), dir)
	}
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir(dir)))
	mux.HandleFunc("/wai-aria/scripts/ATTAcomm.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = w.Write([]byte(attacomm))
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	s := start(t)
	names, roleless := 0, 0
	for _, path := range pages {
		page := filepath.Base(path)
		s.call("nav", server.URL+"/"+page)
		for _, n := range namesOf(s) {
			switch {
			case n.Role == "item": // an element without a role, in a list of such
				roleless++
				t.Logf("%s: no role and so no name, expected %q", page, n.Expected)
			case notOurs[page] != "":
				t.Logf("%s: %q, expected %q: %s", page, n.Name, n.Expected, notOurs[page])
			case n.Name != n.Expected:
				t.Errorf("%s: %s %q, expected %q", page, n.Role, n.Name, n.Expected)
			}
			names++
		}
	}
	t.Logf("%d names in %d pages; %d are of elements without a role", names, len(pages), roleless)
	if names < 100 {
		t.Errorf("only %d names were compared", names)
	}
}

type named struct{ Role, Name, Expected string }

// namesOf is what a page expects of its elements, and what our tree says of them.
func namesOf(s *session) (list []named) {
	s.Helper()
	p := s.page()
	var steps string
	_ = json.Unmarshal([]byte(s.call("eval", "JSON.stringify(steps)")), &steps)
	source := "(() => { const module = {};\n" + fastpath.InjectedScript(p.Engine.DriverDir) + "\nconst engine = " + refs.Engine() + `;
	return JSON.stringify(` + steps + `.map(([id, Expected]) => {
		const line = engine.queryAll(document.getElementById(id), '!tree 1')[0].textContent.split('\n')[1] || '';
		const [, Role, , , , , Name] = line.split('\t');
		return { Role: line[0] === '0' ? Role : '', Name: Name || '', Expected };
	})) })()`
	var reply struct {
		Result    struct{ Value string }
		Exception json.RawMessage `json:"exceptionDetails"`
	}
	ask(s.T, p.Direct(), "Runtime.evaluate", map[string]any{"contextId": isolated(s.T, p.Direct())[0],
		"returnByValue": true, "expression": source}, &reply)
	if json.Unmarshal([]byte(reply.Result.Value), &list) != nil {
		s.Fatalf("%.500s", reply.Exception)
	}
	return list
}
