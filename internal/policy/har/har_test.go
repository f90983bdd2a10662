package har

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

func TestMain(m *testing.M) {
	maxSize = 1 << 20
	os.Exit(m.Run())
}

// oneEntry is a HAR with one entry, whose response has this content.
func oneEntry(content string) string {
	return `{"log":{"entries":[{"request":{"url":"http://a/","method":"GET","headers":[]},"response":{"status":200,"headers":[],"content":` + content + `}}]}}`
}

// folder is a folder with a HAR's bodies and an unrelated file.
func folder(t *testing.T) Open {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"secret": "tide at nine", "har/body.txt": "the body", "har/sub/deep.txt": "deep"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"link": "../secret", "inner": "body.txt", "up": "..", "gone": "nowhere"} {
		if err := os.Symlink(to, filepath.Join(dir, "har", name)); err != nil {
			t.Skip(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	return Beside(root, "har")
}

// bodies are the bodies of the resulting HAR, as the driver reads them.
func bodies(t *testing.T, out []byte) (list []string) {
	t.Helper()
	if bytes.Contains(out, []byte("_file")) {
		t.Errorf("a name of a file is left: %s", out)
	}
	var h struct {
		Log struct {
			Entries []struct {
				Request  struct{ PostData *content }
				Response struct{ Content content }
			}
		}
	}
	if err := json.Unmarshal(out, &h); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	for _, e := range h.Log.Entries {
		if e.Request.PostData != nil {
			list = append(list, e.Request.PostData.Text)
		}
		list = append(list, e.Response.Content.Text)
	}
	return list
}

func TestFromFile(t *testing.T) {
	open := folder(t)
	long := strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth)
	type one struct{ har, want string } // want is a body, or ! and a part of the error
	all := map[string]one{
		"a byte order mark": {"\ufeff" + oneEntry(`{"text":"hello"}`), "hello"},
		"what was sent": {`{"log":{"entries":[{"request":{"url":"http://a/","method":"POST","headers":[],"postData":{"_file":"/etc/passwd"}},"response":{"content":{}}}]}}`,
			`!log.entries[0].request.postData._file: "/etc/passwd"`},
		"elsewhere":                {`{"log":{"pages":[{"_file":"/etc/passwd"}],"entries":[]}}`, `!log.pages[0]._file: "/etc/passwd"`},
		"in an entry that is left": {`{"log":{"entries":[{"_file":"../x"}]}}`, "!climbs"},
		"as deep as may be":        {oneEntry(`{"text":"hello","x":` + long[6:len(long)-6] + `}`), "hello"},
		"deep":                     {oneEntry(`{"x":` + long[5:len(long)-5] + `}`), "!nested more than 64 deep, at log.entries[0].response.content.x[0][0]"},
		"two documents":            {oneEntry(`{}`) + oneEntry(`{"_file":"/etc/passwd"}`), "!text follows its end"},
		"cut":                      {oneEntry(`{}`)[:40], "!it is not JSON: unexpected EOF"},
		"Latin-1":                  {oneEntry("{\"text\":\"\xe9\"}"), "!UTF-8"},
		"no HAR":                   {`[1]`, "!it is not a HAR"},
		"another file":             {"root:x:0:0:", "!it is not JSON"},
		"empty":                    {``, "!it is not JSON"},
	}
	table, err := os.ReadFile("testdata/contents.txt") // a name, the content of an entry, and the same
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		var name, content, want string
		if _, err := fmt.Sscanf(line, "%q %q %q", &name, &content, &want); err != nil {
			t.Fatal(line, err)
		}
		all[name] = one{oneEntry(content), want}
	}
	for name, c := range all {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			err := FromFile(&out, strings.NewReader(c.har), open)
			if want, bad := strings.CutPrefix(c.want, "!"); bad {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("got %v, want %q", err, want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := bodies(t, out.Bytes()); len(got) != 1 || got[0] != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// Everything that the driver reads is kept.
func TestWhatIsHandedOn(t *testing.T) {
	var out bytes.Buffer
	err := FromFile(&out, strings.NewReader(`{"log":{"version":"1.2","entries":[
{"startedDateTime":"x","request":{"url":"http://a/?x=<1>","method":"POST","headers":[{"name":"A","value":"b"}],"cookies":[],"postData":{"mimeType":"text/plain","text":"q=1"}},
 "response":{"status":201,"statusText":"Created","headers":[{"name":"C","value":"d"}],"content":{"size":2,"mimeType":"x","text":"hi"}},"timings":{}},
{"request":{"url":"http://left/out","method":"GET"}},
{"request":{"url":"file:///etc/passwd","method":"GET"},"response":{"status":200,"content":{}}},
{"request":{"url":"data:text/html,x","method":"GET"},"response":{"status":200,"content":{}}},
{"request":{"url":"FILE:///etc/passwd","method":"GET"},"response":{"status":200,"content":{}}},
{"request":{"url":" chrome://version","method":"GET"},"response":{"status":200,"content":{}}},
{"request":{"method":"GET"},"response":{"status":200,"content":{}}},
{"request":{"url":"http://b/","method":"GET"},"response":{"status":-1,"content":{}}}]}}`), folder(t))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"log":{"entries":[{"request":{"url":"http://a/?x=<1>","method":"POST","headers":[{"name":"A","value":"b"}],"postData":{"text":"q=1"}},` +
		`"response":{"status":201,"headers":[{"name":"C","value":"d"}],"content":{"text":"hi"}}},` +
		`{"request":{"url":"http://b/","method":"GET","headers":[]},"response":{"status":-1,"headers":[],"content":{"text":""}}}]}}`
	if got := strings.ReplaceAll(out.String(), "\n", ""); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// endless is a body without an end.
type endless struct{}

func (endless) Read(b []byte) (int, error) { return len(b), nil }
func (endless) Close() error               { return nil }

func TestSizes(t *testing.T) {
	if err := FromFile(io.Discard, endless{}, nil); !errors.Is(err, errTooLarge) {
		t.Error(err)
	}
	open := func(string) (io.ReadCloser, error) { return endless{}, nil }
	if err := FromFile(io.Discard, strings.NewReader(oneEntry(`{"_file":"x"}`)), open); !errors.Is(err, errTooLarge) {
		t.Error(err)
	}
	// One small file, named again and again.
	entry := `{"request":{"url":"http://a/"},"response":{"content":{"_file":"x"}}}`
	many := `{"log":{"entries":[` + strings.Repeat(entry+",", 200) + entry + `]}}`
	open = func(string) (io.ReadCloser, error) { return io.NopCloser(io.LimitReader(endless{}, 1<<13)), nil }
	if err := FromFile(io.Discard, strings.NewReader(many), open); !errors.Is(err, errTooLarge) {
		t.Error(err)
	}
}

func TestFromZip(t *testing.T) {
	ok := oneEntry(`{"_file":"body.txt"}`)
	for name, c := range map[string]struct {
		files []string
		want  string
	}{
		"as Playwright writes it": {[]string{"body.txt", "hi", "har.har", ok}, "aGk="},
		"the first of two":        {[]string{"a.har", ok, "b.har", "x", "body.txt", "hi"}, "aGk="},
		"in a folder":             {[]string{"d/", "", "d/har.har", ok, "body.txt", "hi"}, "aGk="},
		"no HAR":                  {[]string{"body.txt", "hi"}, "!no .har file"},
		"absolute":                {[]string{"har.har", oneEntry(`{"_file":"/etc/passwd"}`)}, "!absolute path"},
		"climbs":                  {[]string{"har.har", oneEntry(`{"_file":"../../etc/passwd"}`)}, "!climbs"},
		"an entry that climbs":    {[]string{"har.har", ok, "body.txt", "hi", "../../etc/x", "x"}, `!a file in it: "../../etc/x": it climbs`},
		"an absolute entry":       {[]string{"har.har", ok, "body.txt", "hi", "/etc/x", "x"}, "!absolute path"},
		"a folder that climbs":    {[]string{"har.har", ok, "body.txt", "hi", "../d/", ""}, "!climbs"},
		"a backslash":             {[]string{"har.har", ok, "body.txt", "hi", `..\x`, "x"}, "!backslash"},
		"a link":                  {[]string{"har.har", ok, "*body.txt", "/etc/passwd"}, `!"body.txt": it is a link`},
		"the HAR is a link":       {[]string{"*har.har", "/etc/passwd"}, "!it is a link"},
		"twice":                   {[]string{"har.har", ok, "body.txt", "hi", "body.txt", "ho"}, "!it is there twice"},
		"missing":                 {[]string{"har.har", ok}, `!"body.txt": file does not exist`},
		"a bomb":                  {[]string{"har.har", strings.Repeat(" ", 1<<20+1)}, "!larger than"},
		"a bomb of a body":        {[]string{"har.har", ok, "body.txt", strings.Repeat(" ", 1<<20+1)}, "!larger than"},
		"another case":            {[]string{"har.har", ok, "BODY.TXT", "hi"}, "!does not exist"},
	} {
		t.Run(name, func(t *testing.T) {
			raw := pipetest.Zip(t, c.files...)
			var out bytes.Buffer
			err := FromZip(&out, bytes.NewReader(raw), int64(len(raw)))
			if want, bad := strings.CutPrefix(c.want, "!"); bad {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("got %v, want %q", err, want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := bodies(t, out.Bytes()); len(got) != 1 || got[0] != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	if err := FromZip(io.Discard, strings.NewReader(ok), int64(len(ok))); err == nil {
		t.Error("another file was taken for an archive")
	}
}

// Another process can read the result until it is withdrawn.
func TestHandOut(t *testing.T) {
	path, done, err := HandOut(func(w io.Writer) error { _, err := io.WriteString(w, "the copy"); return err })
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("cat", path).Output(); err != nil || string(out) != "the copy" {
		t.Errorf("%q, %v", out, err)
	}
	if f, err := os.OpenFile(path, os.O_WRONLY, 0); err == nil {
		if _, err := f.WriteString("another"); err == nil && strings.HasPrefix(path, "/proc") {
			t.Error("it could be written to")
		}
		_ = f.Close()
	}
	done()
	if _, err := os.Stat(path); err == nil {
		t.Errorf("%s is still there", path)
	}
	failed := errors.New("no")
	if _, _, err := HandOut(func(io.Writer) error { return failed }); !errors.Is(err, failed) {
		t.Error(err)
	}
}

func ExampleRefused() {
	fmt.Println(&Refused{"log.entries[0].response.content._file", "/etc/passwd", stray("/etc/passwd")})
	// Output: log.entries[0].response.content._file: "/etc/passwd": it is an absolute path; a HAR may name files beside it only
}
