package provider_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"pwpipe/provider"
	"pwpipe/provider/wire"
)

var update = flag.Bool("update", false, "rewrite transcripts")

type noPages struct{}

func (noPages) Active() string    { return "p1" }
func (noPages) Known(string) bool { return true }

// serve runs lines through a stream and returns its output.
func serve(t testing.TB, s *wire.Stdio, in string) (out string, failed bool) {
	t.Helper()
	if s.Table == nil {
		s.Table = provider.NewTable(provider.SampleTools(), provider.TableOptions{})
	}
	if s.Pages == nil {
		s.Pages = noPages{}
	}
	var b bytes.Buffer
	failed, err := s.Serve(context.Background(), strings.NewReader(in), &b)
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), failed
}

// TestTranscripts runs testdata/*.txtar: lines in, lines out.
func TestTranscripts(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.txtar")
	if len(files) == 0 {
		t.Fatal("no transcripts")
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			out, _ := serve(t, &wire.Stdio{}, string(a.Files[0].Data))
			if *update {
				a.Files = append(a.Files[:1], txtar.File{Name: "out", Data: []byte(out)})
				if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if d := cmp.Diff(string(a.Files[1].Data), out); d != "" {
				t.Errorf("(-transcript +now):\n%s", d)
			}
		})
	}
}

// TestEveryLineAnswered sends broken lines to a stream: each gets one JSON reply, and
// the good line after it is served.
func TestEveryLineAnswered(t *testing.T) {
	bad := []string{
		"{", "}", "nul", "\"", "[", "[1", "{\"id\":1", "{\"id\":1,}", "{'id':1}", "\x00", "\xff\xfe", "{\"id\":\"\xff\"}", "{\"id\":1,\"method\":\"echo\",\"params\":[\"\xed\xa0\x80\"]}",
		"1 2", "{}{}", "true", "null", "1e999", "\"x\"", "{\"id\":1}", "{\"method\":1}", "{\"method\":null}", "{\"method\":\"echo\",\"params\":1}",
		"{\"method\":\"echo\",\"params\":\"x\"}", "{\"id\":1,\"id\":2,\"method\":\"echo\"}", "{\"Method\":\"nothing\"}", "{\"METHOD\":\"nothing\",\"ID\":4}",
		"{\"method\":\"echo\",\"param\\u017f\":[\"x\"]}", "{\"method\":\"\"}", "{\"method\":\"nothing\",\"timeout\":0}", "{\"method\":\"nothing\",\"timeout\":\"1\"}",
		"{\"method\":\"nothing\",\"timeout\":1e300}", "{\"method\":\"nothing\",\"page\":7}", strings.Repeat("[", 20000), strings.Repeat("{\"a\":", 20000),
		"{\"method\":\"echo\",\"params\":{\"text\":\"x\",\"text\":\"y\"}}",
	}
	for _, line := range bad {
		out, failed := serve(t, &wire.Stdio{}, line+"\n"+`{"id":"next","method":"nothing"}`+"\n")
		lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
		if len(lines) != 2 || !failed || lines[1] != `{"id":"next","result":null}` || !json.Valid([]byte(lines[0])) || !strings.Contains(lines[0], `"error"`) {
			t.Errorf("%.80q gave %.300q", line, out)
		}
	}
}

// TestLongLine: a line over the limit is refused, however long, and the next one is
// served. A line at the limit passes.
func TestLongLine(t *testing.T) {
	line := func(n int) string {
		head, tail := `{"id":7,"method":"echo","params":["`, `"]}`
		return head + strings.Repeat("x", n-len(head)-len(tail)) + tail
	}
	const limit = 1 << 20
	for _, test := range []struct {
		n  int
		ok bool
	}{{limit, true}, {limit + 1, false}, {3 * limit, false}} {
		out, _ := serve(t, &wire.Stdio{MaxLine: limit}, line(test.n)+"\r\n"+`{"id":8,"method":"nothing"}`)
		lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
		if len(lines) != 2 || lines[1] != `{"id":8,"result":null}` {
			t.Fatalf("%d bytes: %.200q", test.n, out)
		}
		if ok := strings.HasPrefix(lines[0], `{"id":7,"result":"xxx`); ok != test.ok {
			t.Errorf("%d bytes: %.200q", test.n, lines[0])
		}
		if !test.ok && !strings.Contains(lines[0], "a line of over 1048576 bytes was refused") {
			t.Errorf("%.200q", lines[0])
		}
	}
	out, _ := serve(t, &wire.Stdio{MaxLine: limit}, strings.Repeat("\n \r\n\t\n", 1000))
	if out != "" {
		t.Errorf("blank lines were answered: %q", out)
	}
}

// TestStrict stops at the first error.
func TestStrict(t *testing.T) {
	out, failed := serve(t, &wire.Stdio{Strict: true}, `{"id":1,"method":"nothing"}
{"id":2,"method":"do","params":["fail"]}
{"id":3,"method":"nothing"}
`)
	if want := "{\"id\":1,\"result\":null}\n{\"id\":2,\"error\":\"do: it failed in two lines\"}\n"; out != want || !failed {
		t.Errorf("got %q, failed %v", out, failed)
	}
	out, failed = serve(t, &wire.Stdio{Strict: true}, `[{"jsonrpc":"2.0","id":1,"method":"do","params":["fail"]},{"jsonrpc":"2.0","id":2,"method":"nothing"}]`)
	if strings.Count(out, `"id":`) != 1 || !strings.Contains(out, "it failed") || !failed {
		t.Errorf("an array: got %q, failed %v", out, failed)
	}
}

// FuzzLine: any line gets at most one reply, in JSON, and the stream goes on.
func FuzzLine(f *testing.F) {
	for _, s := range []string{`{"id":1,"method":"echo","params":["x"]}`, `[{"id":1}]`, `{"jsonrpc":"2.0","method":"echo"}`, `[]`, `"`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if strings.ContainsAny(line, "\n") || strings.Contains(line, "wait") {
			t.Skip()
		}
		out, _ := serve(t, &wire.Stdio{}, line+"\n"+`{"id":"end","method":"nothing"}`)
		lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
		// An MCP reply may come after the next request's.
		if !slices.Contains(lines, `{"id":"end","result":null}`) || len(lines) > 2 {
			t.Fatalf("%q gave %q", line, out)
		}
		for _, l := range lines {
			if !json.Valid([]byte(l)) {
				t.Fatalf("%q gave %q", line, out)
			}
		}
	})
}

// TestDefineAround: only the timed part has the deadline. Errors before it and in it
// reach the client.
func TestDefineAround(t *testing.T) {
	early, part, late := error(nil), error(nil), error(nil)
	var bounded []bool
	var result string
	note := func(ctx context.Context) {
		_, ok := ctx.Deadline()
		bounded = append(bounded, ok)
	}
	spec := provider.Spec{Name: "go", Title: "T", Doc: "Go", Profile: "core", Timeout: 20 * time.Millisecond}
	tool := provider.DefineAround(spec, reflect.TypeFor[struct{}](), reflect.TypeFor[string](), func(ctx context.Context, _ any, timed provider.Timed) error {
		if note(ctx); early != nil {
			return early
		}
		err := timed(ctx, func(ctx context.Context) (any, error) {
			if note(ctx); errors.Is(part, context.DeadlineExceeded) {
				<-ctx.Done()
				return "", ctx.Err()
			}
			return "done", part
		})
		if note(ctx); err != nil {
			result = err.Error()
			return err
		}
		return late
	})
	table := provider.NewTable([]*provider.Tool{tool}, provider.TableOptions{})
	call := func() string {
		bounded, result = nil, ""
		r, err := table.Call(context.Background(), provider.Request{Tool: "go"})
		if err != nil {
			return err.Error()
		}
		return string(r.JSON)
	}
	if got := call(); got != `"done"` || !slices.Equal(bounded, []bool{false, true, false}) {
		t.Errorf("%s, with a deadline: %v", got, bounded)
	}
	if late = errors.New("at the end"); call() != "go: at the end" {
		t.Errorf("an error after the part: %s", call())
	}
	if part = errors.New("within"); call() != "go: within" || result != "go: within" {
		t.Errorf("an error of the part: %s, to what is around it %s", call(), result)
	}
	if part = context.DeadlineExceeded; call() != "go: no answer after 0.02 s" {
		t.Errorf("a part that is late: %s", call())
	}
	if early = errors.New("before"); call() != "go: before" || len(bounded) != 1 {
		t.Errorf("an error before the part: %s", call())
	}
}
