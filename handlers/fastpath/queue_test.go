package fastpath_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"pwpipe/handlers/fastpath"
	"pwpipe/internal/pipetest"
	"pwpipe/provider"
	"pwpipe/provider/wire"
)

// stream is the wire to the session of this process.
type stream struct {
	*session
	in  io.WriteCloser
	out *bufio.Reader
}

func (s *session) stream() *stream {
	inR, in := io.Pipe()
	outR, out := io.Pipe()
	served := make(chan error, 1)
	go func() {
		_, err := (&wire.Stdio{Table: s.table, Pages: s.Session}).Serve(s.ctx, inR, out)
		served <- err
	}()
	s.Cleanup(func() {
		in.Close()
		if err := <-served; err != nil {
			s.Error(err)
		}
	})
	return &stream{s, in, bufio.NewReader(outR)}
}

// ask writes all requests at once, numbered from 1, and returns the replies in
// order of arrival.
func (s *stream) ask(lines ...string) (replies []string) {
	s.Helper()
	var all strings.Builder
	for i, line := range lines {
		fmt.Fprintf(&all, `{"id":%d,%s}`+"\n", i+1, line)
	}
	go func() { _, _ = io.WriteString(s.in, all.String()) }()
	for range lines {
		line, err := s.out.ReadString('\n')
		if err != nil {
			s.Fatal(err)
		}
		replies = append(replies, strings.TrimSuffix(line, "\n"))
	}
	return replies
}

const counting = `<h1 id=h>Sign in</h1><b id=n>0</b><script>
const tick = new MessageChannel();
let n = 0;
tick.port2.onmessage = () => { document.getElementById('n').textContent = ++n; tick.port1.postMessage(0) };
tick.port1.postMessage(0);
</script>`

func txt(sel string) string { return fmt.Sprintf(`"method":"txt","params":[%q]`, sel) }

func repeated(n int, line string) (list []string) {
	for range n {
		list = append(list, line)
	}
	return list
}

// TestNeighboursLeaveTogether: three hundred reads take a few messages. No read
// sees a later state of the page than a read requested after it.
func TestNeighboursLeaveTogether(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestOneDoesNotHurtTheOthers is quick")
	t.Parallel()
	s := start(t)
	s.call("nav", pipetest.ServePages(t, map[string]string{"/": counting}))
	w := s.stream()
	p := s.page()
	w.ask(txt("#n"))
	before := fastpath.Counts(p)
	last := -1
	for i, reply := range w.ask(repeated(300, txt("#n"))...) {
		var r struct {
			ID     int
			Result string
		}
		if err := json.Unmarshal([]byte(reply), &r); err != nil || r.ID != i+1 {
			t.Fatalf("%d: %s", i+1, reply)
		}
		var n int
		if _, err := fmt.Sscan(r.Result, &n); err != nil || n < last {
			t.Fatalf("request %d: %s after %d", r.ID, reply, last)
		}
		last = n
	}
	after := fastpath.Counts(p)
	if answers, messages := after.Answers-before.Answers, after.Messages-before.Messages; answers < 250 || messages > 100 {
		t.Errorf("%d answers in %d messages", answers, messages)
	}
}

// TestOneDoesNotHurtTheOthers: an invalid selector, one that must wait, and one
// with a regular expression do not disturb the reads around them.
func TestOneDoesNotHurtTheOthers(t *testing.T) {
	pipetest.UnderRace(t)
	t.Parallel()
	s := start(t)
	s.call("nav", pipetest.ServePages(t, map[string]string{"/": counting}))
	s.page()
	w := s.stream()
	lines := append(repeated(20, txt("#h")), txt("li["), `"method":"txt","params":["#none"],"timeout":0.4`, txt("text=/^Sign (in|out)$/"), `"method":"count","params":["#none"]`)
	lines = append(lines, repeated(20, txt("#h"))...)
	for i, reply := range w.ask(lines...) {
		want := `"result":"Sign in"`
		switch i {
		case 20:
			want = "is not a valid selector"
		case 21:
			want = " after 0.4 s on p1 (" // the rest depends on whether the page answers in time
		case 23:
			want = `"result":0`
		}
		if !strings.HasPrefix(reply, fmt.Sprintf(`{"id":%d,`, i+1)) || !strings.Contains(reply, want) {
			t.Errorf("%d: got %s, want %s", i+1, reply, want)
		}
	}
}

// TestTheDocumentIsTheNewOne: after a navigation's reply, reads see the new
// document, whoever navigated.
func TestTheDocumentIsTheNewOne(t *testing.T) {
	t.Parallel()
	site := pipetest.ServePages(t, map[string]string{"/a": "<p>/a", "/b": "<p>/b", "/c": "<p>/c</p><iframe srcdoc='<p>in'></iframe>"})
	s := start(t)
	rounds := 9
	if pipetest.EachNight() {
		rounds = 30
	}
	for i := range rounds {
		path := []string{"/a", "/b", "/c"}[i%3]
		if i%2 == 0 {
			s.call("nav", site+path)
		} else {
			s.call("eval", fmt.Sprintf("location.href = %q", site+path))
			s.call("expect-url", site+path)
		}
		s.page()
		together(16, func(j int) {
			tool := []string{"txt", "text", "html"}[j%3]
			if got := s.call(tool, "p"); got != encodeText(path) {
				t.Errorf("%s after the way to %s: %s", tool, path, got)
			}
		})
		if got := s.call("title"); got != encodeText(path) {
			t.Errorf("title: %s", got)
		}
		if path == "/c" {
			if got := s.call("txt", "iframe >> internal:control=enter-frame >> p"); got != `"in"` {
				t.Errorf("a frame without scripts: %s", got)
			}
		}
	}
	if answers := fastpath.Counts(s.page()).Answers; answers < 10*int64(rounds) {
		t.Errorf("%d answers on the direct line", answers)
	}
}

func encodeText(s string) string { return string(encode(s)) }

// TestRefsAreTheSame: a ref means the same element both ways, and is stale both
// ways.
func TestRefsAreTheSame(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.call("nav", pipetest.ServePages(t, map[string]string{"/": "<button>One</button><button>Two</button>"}))
	p := s.page()
	s.call("txt", "button")
	snapshot := s.call("snapshot")
	before := fastpath.Counts(p).Answers
	if got := s.call("txt", "e2"); got != `"Two"` {
		t.Errorf("%s in %s", got, snapshot)
	}
	if after := fastpath.Counts(p).Answers; after != before+1 {
		t.Error("a ref took the driver's way")
	}
	s.call("eval", "document.body.lastElementChild.remove()")
	if got, want := s.try(s.ctx, "txt", "e2"), s.try(fastpath.Without(s.ctx), "txt", "e2"); got != want || !strings.Contains(got, "is stale") {
		t.Errorf("%s, by the driver %s", got, want)
	}
}

// TestLargeAnswers: answers too large for one message come in several, none is lost.
func TestLargeAnswers(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.call("nav", pipetest.ServePages(t, map[string]string{"/": `<pre id=large></pre><b id=small>small</b><script>
	document.getElementById('large').textContent = 'x'.repeat(300000)</script>`}))
	s.page()
	together(16, func(i int) {
		sel, want := "#large", 300000
		if i%4 == 0 {
			sel, want = "#small", 5
		}
		if got := s.call("txt", sel); len(got) != want+2 {
			t.Errorf("%s: %d characters", sel, len(got)-2)
		}
	})
}

// TestEvalKnowsWhereItLed: when eval returns, the driver knows the document's new
// URL, because the guard relies on it.
func TestEvalKnowsWhereItLed(t *testing.T) {
	s := start(t)
	s.call("nav", pipetest.ServePages(t, map[string]string{"/": "here"}))
	p := s.page()
	for _, to := range []string{"/a", "/b?c", "/d#e"} {
		s.call("eval", fmt.Sprintf("history.pushState({}, '', %q); 1", to))
		if at := p.PW.URL(); !strings.HasSuffix(at, to) {
			t.Errorf("after %s the driver says %s", to, at)
		}
	}
}

// TestElementsThatAreGone: a ref of an element that was removed from its page, or
// came back, is the same both ways.
func TestElementsThatAreGone(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestRefsAreTheSame is quick")
	s := start(t)
	s.call("nav", pipetest.ServePages(t, map[string]string{"/": "<ul><li><button>one</button><li><button>two</button></ul>"}))
	p := s.page()
	snapshot := s.call("snapshot")
	found := regexp.MustCompile(`two[^\[]*\[(?:ref=)?(e\d+)`).FindStringSubmatch(snapshot)
	if found == nil {
		t.Fatal(snapshot)
	}
	ref := found[1]
	look := func(what string) {
		for _, tool := range []string{"txt", "all", "count", "vis", "html"} {
			want := s.try(fastpath.Without(s.ctx), tool, ref)
			if got := s.try(s.ctx, tool, ref); got != want {
				t.Errorf("%s, %s:\n the direct line: %s\n the driver:      %s", what, tool, got, want)
			}
		}
	}
	before := fastpath.Counts(p).Answers
	look("it is there")
	if after := fastpath.Counts(p).Answers; after-before != 5 {
		t.Errorf("%d of 5 took the direct line", after-before)
	}
	s.call("eval", "{ window.kept = document.querySelectorAll('button')[1]; kept.remove() }")
	look("it is gone")
	s.call("eval", "{ document.body.append(kept); kept.disabled = true }")
	look("it is back")
	r := provider.Request{Tool: "click", Params: encode([]string{ref}), Timeout: 2 * time.Second}
	for _, ctx := range []context.Context{s.ctx, fastpath.Without(s.ctx)} {
		if _, err := s.table.Call(ctx, r); err == nil || !strings.Contains(err.Error(), "is disabled after 2 s") {
			t.Errorf("%v", err)
		}
	}
}
