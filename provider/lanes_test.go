package provider_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"pwpipe/provider"
	"pwpipe/provider/wire"
)

// gate is a tool whose calls wait until the test releases them, so that order
// is tested without a clock.
type gate struct {
	mu    sync.Mutex
	doors map[string]chan struct{}
	began chan string

	awaited sync.Map // name -> whether another request was waiting when it ended
}

type gateIn struct {
	Name string `json:"name" doc:"of the door"`
}

func newGate() *gate { return &gate{doors: map[string]chan struct{}{}, began: make(chan string, 2000)} }

func (g *gate) door(name string) chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.doors[name] == nil {
		g.doors[name] = make(chan struct{})
	}
	return g.doors[name]
}

func (g *gate) run(ctx context.Context, in gateIn) (string, error) {
	g.began <- in.Name
	select {
	case <-g.door(in.Name):
		g.awaited.Store(in.Name, provider.OthersWait(ctx))
		return in.Name, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func (g *gate) tools() []*provider.Tool {
	spec := func(name string, effect provider.Effect) provider.Spec {
		return provider.Spec{Name: name, Title: "T", Doc: name, Profile: "core", Timeout: time.Minute, Effect: effect}
	}
	closes := spec("close", provider.Switches)
	closes.Target = "name"
	return []*provider.Tool{provider.Define(spec("act", provider.Acts), g.run), provider.Define(spec("read", provider.Reads), g.run), provider.Define(spec("switch", provider.Switches), g.run), provider.Define(closes, g.run)}
}

// talk is a served stream for a test.
type talk struct {
	t    *testing.T
	in   io.WriteCloser
	out  *bufio.Reader
	gate *gate
	done chan error
}

type somePages struct{ known string }

func (somePages) Active() string        { return "p1" }
func (p somePages) Known(h string) bool { return strings.Contains(p.known, h) }

func newTalk(t *testing.T, more ...*provider.Tool) *talk {
	s := &talk{t: t, gate: newGate(), done: make(chan error, 1)}
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	s.in, s.out = inW, bufio.NewReader(outR)
	stdio := &wire.Stdio{Table: provider.NewTable(append(s.gate.tools(), more...), provider.TableOptions{}), Pages: somePages{"p1 p2 p3"}}
	go func() {
		_, err := stdio.Serve(context.Background(), inR, outW)
		outW.Close()
		s.done <- err
	}()
	t.Cleanup(func() { inW.Close(); outR.Close() })
	return s
}

func (s *talk) send(id int, method, name, more string) {
	fmt.Fprintf(s.in, `{"id":%d,"method":%q,"params":{"name":%q}%s}`+"\n", id, method, name, more)
}

// begins waits for calls to start, in any order.
func (s *talk) begins(names ...string) {
	s.t.Helper()
	want := map[string]bool{}
	for _, n := range names {
		want[n] = true
	}
	for len(want) > 0 {
		select {
		case n := <-s.gate.began:
			if !want[n] {
				s.t.Fatalf("%s began; expected one of %v", n, want)
			}
			delete(want, n)
		case <-time.After(30 * time.Second):
			s.t.Fatalf("%v did not begin", want)
		}
	}
}

// quiet checks that no other call has started. A call that wrongly runs starts within
// microseconds; a slow machine can hide a fault, but not cause one.
func (s *talk) quiet() {
	s.t.Helper()
	for range 50 {
		runtime.Gosched()
	}
	time.Sleep(20 * time.Millisecond)
	select {
	case n := <-s.gate.began:
		s.t.Fatalf("%s began too soon", n)
	default:
	}
}

func (s *talk) open(names ...string) {
	for _, n := range names {
		close(s.gate.door(n))
	}
}

func (s *talk) reply(want string) {
	s.t.Helper()
	line, err := s.out.ReadString('\n')
	if err != nil || strings.TrimSpace(line) != want {
		s.t.Fatalf("got %q %v, want %q", line, err, want)
	}
}

// TestOnePageOneByOne: requests without a page run one after the other.
func TestOnePageOneByOne(t *testing.T) {
	s := newTalk(t)
	s.send(1, "act", "a", "")
	s.send(2, "act", "b", "")
	s.begins("a")
	s.quiet()
	s.open("a")
	s.begins("b")
	s.reply(`{"id":1,"result":"a"}`)
	s.open("b")
	s.reply(`{"id":2,"result":"b"}`)
}

// TestPagesInParallel: requests that name pages run in parallel to each other
// and to the active page's.
func TestPagesInParallel(t *testing.T) {
	s := newTalk(t)
	s.send(1, "act", "a", "")
	s.send(2, "act", "b", `,"page":"p2"`)
	s.send(3, "act", "c", `,"page":"p3"`)
	s.send(4, "act", "d", `,"page":"p3"`)
	s.begins("a", "b", "c")
	s.quiet()
	s.open("c")
	s.reply(`{"id":3,"result":"c"}`)
	s.begins("d")
	s.open("d", "b", "a")
}

// TestActivePageByName: the active page is one page, named or not.
func TestActivePageByName(t *testing.T) {
	s := newTalk(t)
	s.send(1, "act", "a", "")
	s.send(2, "act", "b", `,"page":"p1"`)
	s.send(3, "act", "c", "")
	s.begins("a")
	s.quiet()
	s.open("a")
	s.begins("b")
	s.quiet()
	s.open("b")
	s.begins("c")
	s.open("c")
}

// TestAwaited: a request knows whether another waits for its page.
func TestAwaited(t *testing.T) {
	s := newTalk(t)
	s.send(1, "act", "first", `,"page":"p1"`)
	s.send(2, "act", "second", `,"page":"p1"`)
	s.send(3, "act", "elsewhere", `,"page":"p2"`)
	s.begins("first", "elsewhere") // the second has been read
	s.open("elsewhere", "first")
	s.begins("second")
	s.open("second")
	for range 3 {
		if _, err := s.out.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]bool{"first": true, "second": false, "elsewhere": false} {
		if got, _ := s.gate.awaited.Load(name); got != want {
			t.Errorf("%s awaited: %v", name, got)
		}
	}
}

// TestUnknownPageWaits: an unknown handle may come from the request before.
func TestUnknownPageWaits(t *testing.T) {
	s := newTalk(t)
	s.send(1, "switch", "a", "")
	s.send(2, "read", "b", `,"page":"p9"`)
	s.begins("a")
	s.quiet()
	s.open("a")
	s.begins("b")
	s.open("b")
}

// TestCloseKeepsOrder: a page is closed after its earlier requests.
func TestCloseKeepsOrder(t *testing.T) {
	s := newTalk(t)
	s.send(1, "act", "a", `,"page":"p2"`)
	s.send(2, "close", "p2", "")
	s.begins("a")
	s.quiet()
	s.open("a")
	s.begins("p2")
	s.open("p2")
}

// TestAfterASwitch: what names no page follows a call that switches pages, so it may mean
// any page and waits for the earlier calls on each.
func TestAfterASwitch(t *testing.T) {
	s := newTalk(t)
	s.send(1, "act", "a", `,"page":"p2"`)
	s.send(2, "close", "p1", "")
	s.send(3, "act", "c", "")
	fmt.Fprintln(s.in, `{"id":4,"method":"cancel","params":{"id":99}}`)
	s.begins("a", "p1")
	s.reply(`{"id":4,"result":false}`) // c has been read
	s.open("p1")
	s.quiet()
	s.open("a")
	s.begins("c")
	s.open("c")
}

// TestReadsOverlap: consecutive reads run together, and their replies keep the
// order. Actions and reads wait for each other.
func TestReadsOverlap(t *testing.T) {
	s := newTalk(t)
	s.send(1, "read", "a", "")
	s.send(2, "read", "b", "")
	s.send(3, "act", "c", "")
	s.send(4, "read", "d", "")
	s.send(5, "read", "e", "")
	s.begins("a", "b")
	s.quiet()
	s.open("b")
	s.quiet()
	s.open("a")
	s.reply(`{"id":1,"result":"a"}`)
	s.reply(`{"id":2,"result":"b"}`)
	s.begins("c")
	s.quiet()
	s.open("c")
	s.begins("d", "e")
	s.open("e", "d")
	s.reply(`{"id":3,"result":"c"}`)
	s.reply(`{"id":4,"result":"d"}`)
	s.reply(`{"id":5,"result":"e"}`)
}

// TestBatchInOrder: a batch's members run one after the other, and together
// count as one request.
func TestBatchInOrder(t *testing.T) {
	s := newTalk(t)
	fmt.Fprintln(s.in, `[{"id":1,"method":"read","params":["a"]},{"id":2,"method":"read","params":["b"]}]`)
	s.send(3, "act", "c", "")
	s.begins("a")
	s.quiet()
	s.open("a")
	s.begins("b")
	s.quiet()
	s.open("b")
	s.reply(`[{"id":1,"result":"a"},{"id":2,"result":"b"}]`)
	s.begins("c")
	s.open("c")
}

// TestCancel answers a cancelled request at once, running or waiting, and one
// that does not exist.
func TestCancel(t *testing.T) {
	s := newTalk(t)
	s.send(1, "act", "a", "")
	s.send(2, "act", "b", "")
	s.send(3, "act", "c", "")
	s.begins("a")
	s.send(4, "act", "other", `,"page":"p2"`)
	s.begins("other")
	fmt.Fprintln(s.in, `{"id":10,"method":"cancel","params":{"id":2}}`)
	s.reply(`{"id":2,"error":"act: cancelled"}`)
	s.reply(`{"id":10,"result":true}`)
	fmt.Fprintln(s.in, `{"id":11,"method":"cancel","params":[1]}`)
	s.reply(`{"id":1,"error":"act: cancelled"}`)
	s.reply(`{"id":11,"result":true}`)
	s.begins("c")
	fmt.Fprintln(s.in, `{"id":12,"method":"cancel","params":{"id":99}}`)
	s.reply(`{"id":12,"result":false}`)
	fmt.Fprintln(s.in, `{"id":13,"method":"cancel"}`)
	fmt.Fprintln(s.in, `{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":3}}`)
	s.reply(`{"id":3,"error":"act: cancelled"}`)
	s.reply(`{"id":13,"error":"cancel: missing parameter \"id\" (of the request to take back)"}`)
	s.open("other")
	s.reply(`{"id":4,"result":"other"}`)
	fmt.Fprintln(s.in, `{"id":15,"method":"cancel","params":{"id":4}}`)
	s.reply(`{"id":15,"result":false}`)
	s.send(5, "act", "older", `,"page":"p2"`) // of two with one id the newer is cancelled
	s.begins("older")
	s.send(5, "act", "newer", "")
	s.begins("newer")
	fmt.Fprintln(s.in, `{"id":14,"method":"cancel","params":{"id":5}}`)
	s.reply(`{"id":5,"error":"act: cancelled"}`)
	s.reply(`{"id":14,"result":true}`)
	s.open("older")
	s.reply(`{"id":5,"result":"older"}`)
}

// TestDrain: at the end of input, all requests are finished and answered.
func TestDrain(t *testing.T) {
	s := newTalk(t)
	for i := range 20 {
		s.send(i, "act", fmt.Sprint(i), "")
	}
	s.in.Close()
	for i := range 20 {
		s.begins(fmt.Sprint(i))
		s.open(fmt.Sprint(i))
		s.reply(fmt.Sprintf(`{"id":%d,"result":"%d"}`, i, i))
	}
	if err := <-s.done; err != nil {
		t.Fatal(err)
	}
}
