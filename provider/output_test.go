package provider_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"pwpipe/provider"
	"pwpipe/provider/wire"
)

// blockedWriter accepts nothing until it is opened.
type blockedWriter struct {
	open chan struct{}
	io.Writer
}

func (w blockedWriter) Write(p []byte) (int, error) { <-w.open; return w.Writer.Write(p) }

// TestStalledReader: if the reader of stdout stops, memory stays within bounds,
// however many requests come. Nothing is lost when it resumes.
func TestStalledReader(t *testing.T) {
	const n, size = 3000, 10_000
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	w := blockedWriter{make(chan struct{}), outW}
	stdio := &wire.Stdio{Table: provider.NewTable(provider.SampleTools(), provider.TableOptions{}), Pages: noPages{}}
	go func() {
		_, _ = stdio.Serve(context.Background(), inR, w)
		outW.Close()
	}()
	sent := make(chan int)
	go func() {
		defer inW.Close()
		text := strings.Repeat("x", size)
		for i := range n {
			fmt.Fprintf(inW, `{"id":%d,"method":"echo","params":["%s"]}`+"\n", i, text)
			select {
			case sent <- i:
			default:
			}
		}
		close(sent)
	}()
	// Wait until the stream accepts no more.
	last := 0
	for taken := true; taken; {
		select {
		case last = <-sent:
		case <-time.After(time.Second):
			taken = false
		}
	}
	if last >= n-1 {
		t.Fatal("the stream took everything while nobody read")
	}
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	if held := m.HeapAlloc >> 20; held > 150 {
		t.Errorf("%d MiB are held", held)
	}
	go func() {
		for range sent {
		}
	}()
	close(w.open)
	r := bufio.NewReader(outR)
	for i := range n {
		line, err := r.ReadString('\n')
		if err != nil || !strings.HasPrefix(line, fmt.Sprintf(`{"id":%d,"result":"xxx`, i)) {
			t.Fatalf("reply %d: %.60q %v", i, line, err)
		}
	}
}

// TestOutputGone: when the reader is gone, the stream ends and running calls
// are cancelled.
func TestOutputGone(t *testing.T) {
	g := newGate()
	inR, inW := io.Pipe()
	defer inW.Close()
	outR, outW := io.Pipe()
	outR.CloseWithError(errors.New("the reader went away"))
	stdio := &wire.Stdio{Table: provider.NewTable(g.tools(), provider.TableOptions{}), Pages: somePages{}}
	done := make(chan error, 1)
	go func() {
		_, err := stdio.Serve(context.Background(), inR, outW)
		done <- err
	}()
	fmt.Fprintln(inW, `{"id":1,"method":"act","params":["a"],"page":"p1"}`)
	<-g.began
	fmt.Fprintln(inW, `{"id":2,"method":"nope","page":"p2"}`)
	if err := <-done; err == nil || !strings.Contains(err.Error(), "writing replies") {
		t.Fatalf("got %v", err)
	}
}

// TestPanic: a panic in a handler is that request's error.
func TestPanic(t *testing.T) {
	out, _ := serve(t, &wire.Stdio{}, `{"id":1,"method":"do","params":["panic"]}`+"\n"+`{"id":2,"method":"nothing"}`)
	want := "{\"id\":1,\"error\":\"do: internal error: it broke\"}\n{\"id\":2,\"result\":null}\n"
	if out != want {
		t.Errorf("got %q", out)
	}
}
