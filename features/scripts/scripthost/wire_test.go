package scripthost

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/features/endpoint/cdpview"
)

// raw is a frame with the given lengths.
func raw(whole, of uint32, body string) []byte {
	b := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, whole), of)
	return append(b, body...)
}

// framed is a correct frame.
func framed(head, body string) []byte {
	return raw(uint32(4+len(head)+len(body)), uint32(len(head)), head+body)
}

// headOf is the head of an answer.
func headOf(args string) head { return head{Args: json.RawMessage(args)} }

// lonely is a runtime without a process, whose host allows one folder.
func lonely(t testing.TB) *Runtime { return lonelyIn(t, t.TempDir()) }

func lonelyIn(t testing.TB, dir string) *Runtime {
	refused := errors.New("refused")
	r := newRuntime(Host{}, Programs{})
	t.Cleanup(func() { r.process.end(nil) })
	r.host = Host{
		Serve:   func(context.Context, cdpview.Client) error { return nil },
		Context: func(string) (any, error) { return nil, refused }, CloseContext: func(string) error { return refused }, CloseBrowser: func() error { return refused },
		NewContext: func(context.Context, ContextOptions) (string, any, error) { return "", nil, refused },
		Viewport:   func(string, int, int) error { return refused }, Media: func(string, Media) error { return refused },
		Selector: func(string, string, bool) (string, error) { return "", refused }, Describe: func(string) string { return "" },
		Helper:  func(context.Context, string, string, json.RawMessage) (any, []byte, error) { return nil, nil, refused },
		Plain:   func(string, string, json.RawMessage) (any, error) { return nil, refused },
		Explain: func(context.Context, About) string { return "" }, Request: func(string) error { return refused }, Upload: func(string) error { return refused },
		HAR:  func(string) (string, func(), error) { return "", nil, refused },
		Dial: func(context.Context, Address) (net.Conn, error) { return nil, refused },
		Within: func(path string) (*os.Root, string, error) {
			name, err := filepath.Rel(dir, path)
			if err != nil || strings.HasPrefix(name, "..") {
				return nil, "", errors.New("outside of the allowed folders")
			}
			root, err := os.OpenRoot(dir)
			return root, name, err
		},
		Folders: []string{dir},
	}
	return r
}

// A violation ends the reading, and with it the process.
func TestFramesOutOfBounds(t *testing.T) {
	for name, b := range map[string][]byte{
		"too long":             raw(longestFrame+1, 2, "{}"),
		"shorter than it says": raw(3, 0, ""),
		"a head beyond it":     raw(6, 3, "{}"),
		"a head too long":      raw(longestHead+10, longestHead+1, ""),
		"no JSON":              framed("{", ""),
		"no object":            framed("[]", ""),
		"no such call":         framed(`{"call":"exec","id":1}`, ""),
		"a name in capitals":   framed(`{"call":"File","id":1}`, ""),
		"a head in capitals":   framed(`{"Call":"join"}`, ""),
		"a head with more":     framed(`{"call":"join","op":"read"}`, ""),
		"two calls in one":     framed(`{"call":"join","call":"leave"}`, ""),
		"ready twice":          append(framed(`{"call":"ready"}`, ""), framed(`{"call":"ready"}`, "")...),
		"it failed":            framed(`{"call":"failed","args":{"why":"x"}}`, ""),
	} {
		if err := lonely(t).readCalls(bytes.NewReader(b), &writer{w: io.Discard}, false); err == nil || errors.Is(err, io.EOF) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Blocking calls may only be ones that wait for nobody else.
	for _, call := range []string{"helper", "dial", "join", "newContext", "ready", "say"} {
		if err := lonely(t).readCalls(bytes.NewReader(framed(`{"call":"`+call+`","id":1}`, "")), &writer{w: io.Discard}, true); err == nil || errors.Is(err, io.EOF) {
			t.Errorf("%s while it waits: %v", call, err)
		}
	}
}

// A reply to no call is dropped, and a call is answered once.
func TestAnswersToNobody(t *testing.T) {
	var out bytes.Buffer
	in := append(framed(`{"id":7}`, "x"), framed(`{"call":"file","id":3,"args":{"op":"read","path":"/etc/passwd"}}`, "")...)
	if err := lonely(t).readCalls(bytes.NewReader(in), &writer{w: &out}, true); err == nil {
		t.Error("an answer on the pipe of calls that wait was taken")
	}
	r := lonely(t)
	if err := r.readCalls(bytes.NewReader(framed(`{"id":7}`, "x")), &writer{w: &out}, false); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
	if err := r.readCalls(bytes.NewReader(in[len(framed(`{"id":7}`, "x")):]), &writer{w: &out}, true); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
	f, err := readFrame(&out)
	if err != nil || f.ID != 3 || f.Error == nil || !strings.Contains(*f.Error, "outside of the allowed folders") {
		t.Errorf("%+v, %v", f.head, err)
	}
}

// Files are accessed through the folder, whatever their names.
func TestFilesOfScripts(t *testing.T) {
	r := lonely(t)
	r.host.Mask = func(s string) string { return strings.ReplaceAll(s, "secret", "***") }
	ask := func(head, body string) (frame, string) {
		var out bytes.Buffer
		if err := r.readCalls(bytes.NewReader(framed(head, body)), &writer{w: &out}, true); !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
		f, err := readFrame(&out)
		if err != nil {
			t.Fatal(err)
		}
		if f.Error != nil {
			return f, *f.Error
		}
		return f, ""
	}
	// Bytes of other files, such as pictures, stay as they are.
	for _, c := range [][3]string{{"create", "secret 1", "*** 1"}, {"write", "a secret", "a ***"},
		{"append", ", secret", "a ***, ***"}, {"overwrite", "secret", "*****, ***"}, {"write", "secret\xff", "secret\xff"}} {
		_, wrong := ask(`{"call":"file","id":1,"args":{"op":"`+c[0]+`","path":"a.txt"}}`, c[1])
		if f, e := ask(`{"call":"file","id":1,"args":{"op":"read","path":"a.txt"}}`, ""); wrong+e != "" || string(f.raw) != c[2] {
			t.Errorf("%s: %q, %s", c[0], f.raw, wrong+e)
		}
	}
	for head, want := range map[string]string{
		`{"call":"file","id":1,"args":{"op":"read","path":"b.txt"}}`:                                    "ENOENT: no such file or directory, open 'b.txt'",
		`{"call":"file","id":1,"args":{"op":"read","path":"../../etc/passwd"}}`:                         "EACCES: outside of the allowed folders",
		`{"call":"file","id":1,"args":{"op":"read","path":""}}`:                                         "not a path",
		`{"call":"file","id":1,"args":{"op":"read","path":"a\u0000b"}}`:                                 "not a path",
		`{"call":"file","id":1,"args":{"op":"chmod","path":"a.txt"}}`:                                   "no operation",
		`{"call":"file","id":1,"args":{"op":"create","path":"a.txt"}}`:                                  "EEXIST",
		`{"call":"file","id":1,"args":{"op":"rename","path":"a.txt","to":"/etc/x"}}`:                    "outside of the allowed folders",
		`{"call":"file","id":1,"args":{"op":"write","path":"/downloads-of-this-session/x"}}`:            "EACCES",
		`{"call":"file","id":1,"args":{"op":"read","path":"/downloads-of-this-session/../etc/passwd"}}`: "EACCES",
	} {
		if _, e := ask(head, ""); !strings.Contains(e, want) {
			t.Errorf("%s: %q", head, e)
		}
	}
}

// A hostile process's lines are bounded, however short they are.
func TestLinesAreBounded(t *testing.T) {
	for _, text := range []string{"", "x", strings.Repeat("x", 5000)} {
		r := lonely(t)
		r.queue.running.Store(&run{})
		said := framed(`{"call":"say","args":{"level":"`+strings.Repeat("l", 100)+`"}}`, text)
		many := 4 * maxOutput / (len(text) + lineCost)
		if err := r.readCalls(bytes.NewReader(bytes.Repeat(said, many)), &writer{w: io.Discard}, false); !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
		if n := len(r.queue.running.Load().console); n == 0 || n*lineCost > 3*maxOutput || n*len(text) > 3*maxOutput {
			t.Errorf("of lines of %d bytes %d are kept", len(text), n)
		}
	}
}

// A script's outcome is read within its bounds.
func TestOutcomes(t *testing.T) {
	for head, ok := range map[string]bool{
		`{"value":2}`: true, `{"value":-1}`: false, `{"value":9}`: false, `{"value":2,"images":[1]}`: true, `{"value":2,"images":[2]}`: false,
		`{"value":1}`: false, `{"thrown":true}`: false, `{"value":2,"images":[-1]}`: false,
	} {
		var res Result
		err := readOutcome(frame{head: headOf(head), raw: []byte(`{}x`)}, &res)
		if (err == nil) != ok {
			t.Errorf("%s: %v, %s", head, err, res.Value)
		}
	}
}

func FuzzFrames(f *testing.F) {
	for _, b := range [][]byte{
		framed(`{"call":"file","id":1,"args":{"op":"list","path":"."}}`, ""), framed(`{"call":"say","args":{"level":"log"}}`, "x"), framed(`{"call":"dial","id":2,"args":{"host":"a","port":1}}`, ""),
		framed(`{"call":"lower","id":3}`, "const a: number = 1"), framed(`{"call":"data","id":4,"args":{"stream":1}}`, "x"), framed(`{"call":"helper","id":5,"args":{"run":1}}`, "{}"), raw(9, 1, "x"),
	} {
		f.Add(b, true)
		f.Add(b, false)
	}
	f.Fuzz(func(t *testing.T, b []byte, waits bool) {
		r := lonely(t)
		if err := r.readCalls(bytes.NewReader(b), &writer{w: io.Discard}, waits); err == nil {
			t.Error("the reading went on after the end")
		}
	})
}
