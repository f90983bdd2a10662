package devtools_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// leakingPage keeps what its functions make: objects of a class, and elements that are
// in no document.
const leakingPage = `<!doctype html><title>Leak</title><main><p>shown</p></main><script>
	class Lantern { constructor() { this.oil = new Array(1000).fill(7.5) } }
	const lanterns = [];
	const light = (n) => { for (let i = 0; i < n; i++) lanterns.push(new Lantern()) };
	const cut = (n, keep) => {
		const tree = document.createElement('section');
		for (let i = 0; i < n; i++) tree.append(Object.assign(document.createElement('b'), { className: 'c' + i }));
		document.body.append(tree); tree.remove();
		if (keep) (window.removed ??= { list: [] }).list.push(tree);
	};
</script>`

func TestHeap(t *testing.T) {
	t.Parallel()
	p, dir := startIn(t)
	p.Call("nav", []string{pipetest.ServePages(t, map[string]string{"/": leakingPage})})
	before, after := filepath.Join(dir, "before.heapsnapshot"), filepath.Join(dir, "after.heapsnapshot")
	p.Call("eval", []string{"cut(200, false); 1"}) // which nobody keeps
	text := pipetest.Decode[string](t, p.Call("heap", []string{before}))
	pipetest.Has(t, text, before+": ", "\n0 detached nodes")
	pipetest.Lacks(t, text, "Lantern")
	p.Call("eval", []string{"light(300); cut(200, true); 1"})
	text = pipetest.Decode[string](t, p.Call("heap", []string{after}))
	pipetest.Has(t, text, "\n201 detached nodes\n", "<section>  window.removed.list[0]")
	if !regexp.MustCompile(`(?m)^2\.3 MiB +\d\S* KiB +300 +Lantern$`).MatchString(text) {
		t.Errorf("300 lanterns of 8 kB each:\n%s", text)
	}
	text = pipetest.Decode[string](t, p.Call("heap-diff", []string{before, after}))
	pipetest.Has(t, text, "+201 detached nodes\n", " 0 to 300 ", " 0 to 200 ", "Lantern", "<b>")
	pipetest.Lacks(t, text, "c17")

	// It is DevTools' own format, whole.
	raw, err := os.ReadFile(after)
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Snapshot struct {
			Meta  struct{ Node_Fields []string }
			Count int `json:"node_count"`
		}
		Nodes   []int
		Strings []string
	}
	if err := json.Unmarshal(raw, &file); err != nil || file.Snapshot.Count == 0 ||
		len(file.Nodes) != file.Snapshot.Count*len(file.Snapshot.Meta.Node_Fields) || len(file.Strings) < 1000 {
		t.Errorf("the file is not whole: %v", err)
	}

	pipetest.Has(t, p.Fail("heap", []string{filepath.Join(dir, "heap.json")}), "expected a .heapsnapshot file")
	pipetest.Has(t, p.Fail("heap", []string{"/etc/x.heapsnapshot"}), "outside of the allowed folders")
	pipetest.Has(t, p.Fail("heap-diff", []string{before, "/etc/x.heapsnapshot"}), "outside of the allowed folders")
	pipetest.Has(t, p.Fail("heap-diff", []string{before, filepath.Join(dir, "none.heapsnapshot")}), "no such file")
	half := filepath.Join(dir, "half.heapsnapshot")
	if err := os.WriteFile(half, raw[:len(raw)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	pipetest.Has(t, p.Fail("heap-diff", []string{before, half}),
		"the second snapshot: it is not a heap snapshot as Chromium writes it")
}

// TestHeapOfHostilePages: a page words names, and decides how much there is.
func TestHeapOfHostilePages(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestHeap is quick")
	t.Parallel()
	p := pipetest.Start(t, "--content-boundaries")
	path := filepath.Join(t.TempDir(), "a.heapsnapshot")
	p.Call("nav", []string{pipetest.ServePages(t, map[string]string{"/": leakingPage})})
	p.Call("eval", []string{`window.kept = [];
		const made = (name) => new ({[name]: class { a = [1.5, 2.5, 3.5, 4.5] }})[name];
		for (const name of ['Two\nlines', 'L'.repeat(5000)]) kept.push(Array.from({length: 3000}, () => made(name)));
		for (let i = 0; i < 3000; i++) kept.push(new ({['Class' + i]: class {}})['Class' + i]);
		for (let i = 0; i < 200000; i++) window.chain = {next: window.chain}; 1`})
	text := pipetest.Decode[string](t, p.Call("heap", []string{path}))
	pipetest.Has(t, text, "page-content ", "Two lines", "LLLL…", " other classes")
	if lines := strings.Count(text, "\n"); lines > 40 || len(text) > 5000 {
		t.Errorf("%d lines:\n%s", lines, text)
	}
}

// TestHeapOfLentTabs: a snapshot is of a process, in which other pages of the person may
// be.
func TestHeapOfLentTabs(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestHeap is quick")
	t.Parallel()
	addr, _ := pipetest.Chromium(t, "0")
	p := pipetest.Start(t, "--cdp", "http://"+addr)
	path := filepath.Join(t.TempDir(), "a.heapsnapshot")
	pipetest.Has(t, p.Fail("heap", []string{path}), "blocked: heap snapshot: it would show all that is in "+
		"a process of a lent browser; new-ctx opens a context of your own")
	if _, err := os.Stat(path); err == nil {
		t.Error("there is a file")
	}
	context := pipetest.Decode[string](t, p.Call("new-ctx", nil))
	page := pipetest.Decode[string](t, p.Call("new-page", []string{context}))
	p.Call("heap", []string{path}, "page", page)
}
