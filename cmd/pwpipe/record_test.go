package main

import (
	"bytes"
	"encoding/xml"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestLogAndReplay writes a log, replays it, then breaks it. What was done by refs is
// replayed by selectors that stand by themselves.
func TestLogAndReplay(t *testing.T) {
	t.Parallel()
	p, dir := pipetest.Shared(t), t.TempDir()
	site, log := p.Site, filepath.Join(dir, "session.ndjson")
	p.Call("nav", list("/form"))
	outline := p.Text("snapshot", nil) // once more on a busy machine, so it is not logged
	pipetest.Steps(p,
		does("log-start", list(log), ""),
		does("log-start", list(log), "!already"),
		does("events", map[string]any{"kinds": []string{}}, ""), // is left out
		does("nav", list("/form#again"), "null"),                // the same document, whose refs stay
		does("snapshot", nil, ""),
	)
	ref := func(line string) string {
		m := regexp.MustCompile(regexp.QuoteMeta(line) + `[^\n]*ref=(e\d+)`).FindStringSubmatch(outline)
		if m == nil {
			t.Fatalf("no %q in %s", line, outline)
		}
		return m[1]
	}
	count := ref(`button "Count`)
	pipetest.Steps(p,
		does("fill", list(ref(`textbox "Full name`), "Ada <Albers>"), "null"),
		does("upload", list("#attachment", "/none"), "!"),
		does("batch", list("click "+count+"\nclick "+count), ""),
		does("expect-text", list("#counter", "2"), "null"),
		does("log-stop", nil, "5"),
		does("log-start", list(filepath.Join(dir, "second.ndjson")), ""),
		does("title", nil, ""),
		does("log-stop", nil, "1"),
	)
	if info, err := os.Stat(log); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	if regexp.MustCompile(`"f?\d*e\d+"|click e\d`).Match(data) || bytes.Contains(data, []byte(`"events"`)) {
		t.Errorf("the log holds refs or events: %s", data)
	}
	broken := filepath.Join(dir, "broken.ndjson")
	text := regexp.MustCompile(`(?m)^(.*\["#counter",")2"\]`).ReplaceAllString(string(data), // on a page that is not the active one then
		`{"id":8,"method":"new-page","params":["c1",true]}`+"\n"+`${1}3"],"page":"p1","timeout":1`) + `{"id":9,"method":"title"}` + "\n"
	if err := os.WriteFile(broken, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	junit, page := filepath.Join(dir, "r", "junit.xml"), filepath.Join(dir, "r", "report.html")
	out, _, status := pipetest.Run(t, "", "run", broken, log, "--base-url", site, "--junit", junit, "--html", page)
	if status != 1 || !strings.Contains(out, `expected "#counter" to have text "3", got "2"`) || !strings.Contains(out, "10 of 12 steps passed") || !strings.Contains(out, "1 failed; 1 skipped") {
		t.Errorf("status %d: %s", status, out)
	}
	checkJUnit(t, junit)
	html, _ := os.ReadFile(page)
	for _, want := range []string{"1 step failed", "data:image/png;base64,iVBOR", `Ada \u003cAlbers\u003e`, `got &#34;2&#34;`} {
		if !bytes.Contains(html, []byte(want)) {
			t.Errorf("no %s in the report", want)
		}
	}
	if size := len(regexp.MustCompile(`iVBOR[^"]*`).Find(html)); size < 40_000 { // an empty page has 22,000, this one 86,000
		t.Errorf("the picture (%d) is not of the page on which the step failed", size)
	}
	for _, no := range []string{`src="http`, `href="http`, "<script"} {
		if bytes.Contains(html, []byte(no)) {
			t.Errorf("the report is not self-contained: %s", no)
		}
	}
	// A run that goes on says only what failed, and one in which nothing fails has the status 0. Neither needs a browser.
	calm := filepath.Join(dir, "calm.ndjson")
	for text, want := range map[string]string{`{"method":"read","params":["http://127.0.0.1:1/"]}` + "\n": "1 of 2 steps passed", "": "1 of 1 steps passed"} {
		if err := os.WriteFile(calm, []byte(text+`{"method":"devices","params":["pixel 7"]}`+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		out, _, status = pipetest.Run(t, "", "run", calm, "--keep-going", "--quiet")
		if failed := text != ""; (status == 1) != failed || status > 1 || !strings.Contains(out, want) || strings.Contains(out, "ok  ") {
			t.Errorf("status %d: %s", status, out)
		}
	}
}

func checkJUnit(t *testing.T, file string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Skipped  int `xml:"skipped,attr"`
		Suites   []struct {
			Cases []struct {
				Failure *struct {
					Message string `xml:"message,attr"`
				} `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if got.Tests != 12 || got.Failures != 1 || got.Skipped != 1 || len(got.Suites) != 2 ||
		got.Suites[0].Cases[5].Failure == nil || !strings.Contains(got.Suites[0].Cases[5].Failure.Message, "expected") {
		t.Errorf("%s", data)
	}
}

func TestRunRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.ndjson")
	if err := os.WriteFile(bad, []byte("{\"id\":1,\"method\":\"title\"}\n\nnot json\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ file, want string }{
		{filepath.Join(dir, "none.ndjson"), "no such file"},
		{bad, "bad.ndjson:3: parse error"},
	} {
		out, stderr, status := pipetest.Run(t, "", "run", c.file)
		if status != 2 || !strings.Contains(out, c.want) {
			t.Errorf("%s: status %d: %s%s", c.file, status, out, stderr)
		}
	}

	// The other files run all the same, and the report shows both.
	good, junit := filepath.Join(dir, "good.ndjson"), filepath.Join(dir, "junit.xml")
	if err := os.WriteFile(good, []byte("# signs in\n{\"method\":\"title\"}\n  # and no more\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, stderr, status := pipetest.Run(t, "", "run", bad, good, "--junit", junit)
	if status != 2 || !strings.Contains(out, "1 of 2 steps passed") || !strings.Contains(out, "1 failed") {
		t.Errorf("status %d: %s%s", status, out, stderr)
	}
	if xml, _ := os.ReadFile(junit); !bytes.Contains(xml, []byte("parse error")) || bytes.Count(xml, []byte("<testsuite ")) != 2 {
		t.Errorf("%s", xml)
	}
}
