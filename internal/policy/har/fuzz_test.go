package har

import (
	"bytes"
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// FuzzHAR: an accepted HAR is JSON without file names and with only web URLs.
// Only files with local names were opened.
func FuzzHAR(f *testing.F) {
	f.Add([]byte(oneEntry(`{"_file":"body.txt"}`)))
	f.Add([]byte(oneEntry(`{"_file":"a/../../b"}`)))
	f.Add([]byte(oneEntry(`{"_fi\u006ce":"/x","text":"a"}`)))
	f.Add([]byte("\ufeff" + oneEntry(`{"text":"a","_File":"/x"}`)))
	f.Add(pipetest.Zip(f, "body.txt", "hi", "har.har", oneEntry(`{"_file":"body.txt"}`)))
	f.Fuzz(func(t *testing.T, raw []byte) {
		open := func(name string) (io.ReadCloser, error) {
			if !filepath.IsLocal(name) || strings.Contains(name, "..") && stray(name) != "" || strings.ContainsAny(name, "\\\x00") {
				t.Errorf("%q was opened", name)
			}
			return io.NopCloser(strings.NewReader("body")), nil
		}
		var out bytes.Buffer
		if FromFile(&out, bytes.NewReader(raw), open) == nil {
			accepted(t, raw, out.Bytes())
		}
		out.Reset()
		if FromZip(&out, bytes.NewReader(raw), int64(len(raw))) == nil {
			accepted(t, nil, out.Bytes())
		}
	})
}

// accepted checks the HAR that was read (nil for one in an archive) and the
// result.
func accepted(t *testing.T, raw, out []byte) {
	t.Helper()
	var made any
	if err := json.Unmarshal(out, &made); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	var h struct {
		Log struct{ Entries []entry }
	}
	if err := json.Unmarshal(out, &h); err != nil {
		t.Fatal(err)
	}
	for _, e := range h.Log.Entries {
		if !isWeb(e.Request.URL) {
			t.Errorf("%q, which is not of the web, is left", e.Request.URL)
		}
	}
	eachFile(made, func(v any) { t.Errorf("_file %v is left in %s", v, out) })
	var again bytes.Buffer
	if err := FromFile(&again, bytes.NewReader(out), nil); err != nil || !bytes.Equal(again.Bytes(), out) {
		t.Errorf("taken again it is another: %v\n%s\n%s", err, out, again.Bytes())
	}
	var given any
	if json.Unmarshal(bytes.TrimPrefix(raw, []byte("\ufeff")), &given) == nil {
		eachFile(given, func(v any) {
			if s, ok := v.(string); v != nil && (!ok || s != "" && !filepath.IsLocal(s)) {
				t.Errorf("_file %v was taken in %s", v, raw)
			}
		})
	}
}

// eachFile calls fn with every _file of a JSON value.
func eachFile(v any, fn func(any)) {
	switch v := v.(type) {
	case map[string]any:
		for k, m := range v {
			if k == "_file" {
				fn(m)
			}
			eachFile(m, fn)
		}
	case []any:
		for _, m := range v {
			eachFile(m, fn)
		}
	}
}
