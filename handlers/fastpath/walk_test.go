package fastpath_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/fixtures"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/fastpath"
	"pwpipe/handlers/refs"
	"pwpipe/internal/browser/cdp"
	"pwpipe/internal/pipetest"
)

// oracle builds the tree with Playwright's own walk of the document.
const oracle = `(dress, finish) => (root) => {
	const original = toAriaNode;
	toAriaNode = (element, options) => dress(element, original(element, options));
	try {
		const tree = generateAriaTree(root, { mode: 'default' }).root;
		const end = (node) => { for (const child of node.children) if (typeof child !== 'string') end(child); finish(node); };
		end(tree);
		return tree;
	} finally {
		toAriaNode = original;
	}
}`

// walkers returns an object with the engine on our walk, and on Playwright's.
func walkers(p *browser.Page) string {
	// Playwright's walk has no marks of formats, and no captions.
	marked, walk := refs.Engine(), "("+refs.Walk()+")"
	ours := strings.Replace(marked, walk+"(dress, finish, marksOf, ", walk+"(dress, finish, () => undefined, undefined && ", 1)
	theirs := strings.Replace(ours, "("+refs.Walk()+")", "("+oracle+")", 1)
	return "(() => { const module = {};\n" + fastpath.InjectedScript(p.Engine.DriverDir) +
		"\nconst text = (engine) => (start) => engine.queryAll(document, '!tree ' + start)[0].textContent;" +
		"\nreturn { ours: text(" + ours + "), theirs: text(" + theirs + ") } })()"
}

// TestWalkAsPlaywright takes snapshots of many pages with our walk and with Playwright's. All
// lines are the same. PWPIPE_ARIA_PAGES names a folder of more pages, such as the
// accessible-name tests of web-platform-tests.
func TestWalkAsPlaywright(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestRefsAreTheSame is quick")
	t.Parallel()
	site, err := fixtures.Serve()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = site.Close() })
	sample := start(t)
	for _, path := range pipetest.Sample([]string{"/form", "/login", "/", "/frames", "/table?rows=60", "/shop", "/shadow", "/article", "/a11y",
		"/hostile", "/dialogs", "/media", "/admin", "/projects", "/profile", "/cart", "/files", "/long-text"}, 3) {
		sample.compare(t, site.URL+path)
	}
	compareFolder(t, "testdata")
	if dir := os.Getenv("PWPIPE_ARIA_PAGES"); dir != "" {
		compareFolder(t, dir)
	}
	if pipetest.EachNight() {
		compareFolder(t, filepath.Join(pipetest.PIP(t, "miniwob==1.1.0", "--no-deps"), "miniwob", "html"))
	}
}

// compareFolder compares the pages of a folder.
func compareFolder(t *testing.T, dir string) {
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(server.Close)
	s, pages := start(t), 0
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		// In clicks.html Playwright omits a form whose fields shadow its properties.
		if strings.HasSuffix(path, ".html") && !strings.HasSuffix(path, "index.html") && filepath.Base(path) != "clicks.html" {
			pages++
			s.compare(t, server.URL+"/"+filepath.ToSlash(strings.TrimPrefix(path, dir+string(os.PathSeparator))))
		}
		return err
	})
	if err != nil || pages == 0 {
		t.Errorf("%d pages in %s: %v", pages, dir, err)
	}
}

// compare is a test of one page, in the session's own page.
func (s *session) compare(t *testing.T, url string) {
	t.Helper()
	t.Run(strings.SplitN(url, "/", 4)[3], func(t *testing.T) {
		s := &session{t, s.Session, s.table, s.ctx}
		s.call("nav", url)
		// Playwright omits options in groups, and the areas of a picture.
		s.call("eval", "for (const e of document.querySelectorAll('optgroup, area')) e.replaceWith(...e.children); 1")
		p := s.page()
		for _, world := range isolated(t, p.Direct()) {
			var both struct {
				Result struct {
					Value struct{ Ours, Theirs string }
				}
				Exception json.RawMessage `json:"exceptionDetails"`
			}
			ask(t, p.Direct(), "Runtime.evaluate", map[string]any{"contextId": world, "returnByValue": true,
				"expression": "(({ ours, theirs }) => ({ ours: ours(1), theirs: theirs(1) }))(" + walkers(p) + ")"}, &both)
			if both.Exception != nil {
				t.Fatalf("%.2000s", both.Exception)
			}
			if ours, theirs := both.Result.Value.Ours, both.Result.Value.Theirs; ours != theirs {
				t.Errorf("our walk and Playwright's differ:\n%s", firstDifference(ours, theirs))
			}
		}
	})
}

// isolated creates an isolated world in each frame of the page's process.
func isolated(t *testing.T, s *cdp.Session) (ids []int) {
	t.Helper()
	type frameTree struct {
		Frame       struct{ ID string }
		ChildFrames []json.RawMessage
	}
	var tree struct{ FrameTree json.RawMessage }
	ask(t, s, "Page.getFrameTree", nil, &tree)
	var enter func(raw json.RawMessage)
	enter = func(raw json.RawMessage) {
		var f frameTree
		if err := json.Unmarshal(raw, &f); err != nil {
			t.Fatal(err)
		}
		var world struct {
			ID int `json:"executionContextId"`
		}
		ask(t, s, "Page.createIsolatedWorld", map[string]any{"frameId": f.Frame.ID, "worldName": "comparing"}, &world)
		ids = append(ids, world.ID)
		for _, child := range f.ChildFrames {
			enter(child)
		}
	}
	enter(tree.FrameTree)
	return ids
}

func ask(t *testing.T, s *cdp.Session, method string, params, reply any) {
	t.Helper()
	if err := s.Call(context.Background(), method, params, reply); err != nil {
		t.Fatalf("%s: %v", method, err)
	}
}

// firstDifference shows where two texts differ, with the lines around.
func firstDifference(a, b string) string {
	left, right := strings.Split(a, "\n"), strings.Split(b, "\n")
	i := 0
	for i < len(left) && i < len(right) && left[i] == right[i] {
		i++
	}
	around := func(lines []string) string {
		return strings.Join(lines[min(max(i-2, 0), len(lines)):min(i+3, len(lines))], "\n")
	}
	return fmt.Sprintf("ours\n%s\nPlaywright's\n%s", around(left), around(right))
}
