package record_test

import (
	"encoding/json"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// recorded is a line of a recording.
type recorded struct {
	Method string
	Params map[string]any
	Page   string
	Note   string
}

func (r recorded) String() string {
	var params strings.Builder
	enc := json.NewEncoder(&params)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(r.Params)
	return strings.TrimSpace(r.Page + " " + r.Method + " " + params.String())
}

// recorder is a pwpipe that records in a browser.
type recorder struct {
	*pipetest.Pipe
	*person
	site  string
	lines []string
}

// records starts one on a page of the sample site, or of another where path is a URL, in a
// Chromium of its own, which has a port for the person.
func records(t *testing.T, path string, args ...string) *recorder {
	t.Helper()
	in := pipetest.Installed(t)
	_, port, _ := net.SplitHostPort(pipetest.FreeAddr(t))
	program := filepath.Join(t.TempDir(), "chromium.sh")
	text := fmt.Sprintf("#!/bin/sh\n%s exec '%s' --remote-debugging-port=%s \"$@\"\n", strings.Join(quoted(in.Env), " "), in.Executable, port)
	if err := os.WriteFile(program, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	site := pipetest.Site(t)
	if u, err := url.Parse(path); err == nil && u.Host != "" {
		site, path = u.Scheme+"://"+u.Host, u.RequestURI()
	}
	args = append([]string{"record", "--headless", "--browser", program, "--base-url", site, path}, args...)
	r := &recorder{site: site, Pipe: pipetest.Start(t, args...)}
	t.Cleanup(func() { _ = r.Cmd.Process.Signal(os.Interrupt) })
	pipetest.Eventually(t, "the recording", func() bool { return strings.Contains(r.Stderr(), "recording:") })
	r.person = sits(t, "127.0.0.1:"+port, site+path)
	return r
}

// quoted are settings of the environment as a shell takes them.
func quoted(env []string) (list []string) {
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		list = append(list, name+"='"+value+"'")
	}
	return list
}

// next is the next line.
func (r *recorder) next() recorded {
	r.T.Helper()
	line, err := r.TryLine()
	if err != nil {
		r.T.Fatalf("%v, after %s", err, strings.Join(r.lines, "\n"))
	}
	r.lines = append(r.lines, line)
	var l recorded
	if err = json.Unmarshal([]byte(line), &l); err != nil {
		r.T.Fatalf("%s: %v", line, err)
	}
	return l
}

// wants checks the next lines.
func (r *recorder) wants(lines ...string) {
	r.T.Helper()
	for _, want := range lines {
		if got := r.next(); got.String() != want {
			r.T.Fatalf("recorded %s\nwant     %s\nlines: %s", got, want, strings.Join(r.lines, "\n"))
		}
	}
}

// replays ends the recording, and runs it.
func (r *recorder) replays(args ...string) {
	r.T.Helper()
	_ = r.Cmd.Process.Signal(os.Interrupt)
	rest, status := r.Wait()
	if rest != "" || status != 0 {
		r.T.Fatalf("after Ctrl-C: %q, status %d, %s", rest, status, r.Stderr())
	}
	script := filepath.Join(r.T.TempDir(), "flow.ndjson")
	if err := os.WriteFile(script, []byte(strings.Join(r.lines, "\n")), 0o600); err != nil {
		r.T.Fatal(err)
	}
	out, errs, status := pipetest.Run(r.T, "", append([]string{"run", "--base-url", r.site, script}, args...)...)
	if status != 0 {
		r.T.Fatalf("replay: status %d\n%s%s", status, out, errs)
	}
}

// TestRecord: a person signs in. The password is not told, and the flow replays with it.
func TestRecord(t *testing.T) {
	t.Parallel()
	r := records(t, "/login")
	r.wants(`nav {"url":"/login"}`)
	r.click("#email")
	r.types("ada@mail.example")
	r.click("#password")
	r.types("secret")
	r.key("Enter", 13)
	r.sees(`document.querySelector('h1')?.textContent.startsWith('Welcome')`)
	r.wants(`fill {"sel":"role=textbox[name=\"E-mail\"]","val":"ada@mail.example"}`,
		`fill {"sel":"role=textbox[name=\"Password\"]","val":"{{PASSWORD}}"}`,
		`press {"key":"Enter","sel":"role=textbox[name=\"Password\"]"}`)
	if !strings.Contains(r.lines[2], "--secrets FILE, with a line PASSWORD=") || strings.Contains(r.lines[2], "secret\"") {
		t.Errorf("the line tells not how to give the password: %s", r.lines[2])
	}
	secrets := filepath.Join(t.TempDir(), "secrets.env")
	if err := os.WriteFile(secrets, []byte("PASSWORD=secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r.replays("--secrets", secrets)
}

// TestRecordForm records fields and targets of every kind. What the browser makes of a
// click on a label, or of a key on a box, is not recorded beside it.
func TestRecordForm(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestRecord is quick")
	t.Parallel()
	r := records(t, "/form")
	r.wants(`nav {"url":"/form"}`)
	r.click("#name")
	r.types("Ada Lovelace")
	r.wants(`fill {"sel":"role=textbox[name=\"Full name (required)\"]","val":"Ada Lovelace"}`)
	r.click("label[for=subscribe]")
	r.sees(`document.querySelector('#subscribe').checked`)
	r.wants(`click {"sel":"text=Send me the newsletter"}`, `check {"sel":"role=checkbox[name=\"Send me the newsletter\"]"}`)
	r.eval(`document.querySelector('#terms').focus()`)
	r.key(" ", 32)
	r.sees(`document.querySelector('#terms').checked`)
	r.wants(`check {"sel":"role=checkbox[name=\"I accept the terms\"]"}`)
	r.press("#dbl-target", "", "left", 2)
	r.sees(`document.querySelector('#dbl').textContent === '1'`)
	if l := r.next(); l.Method != "dclick" {
		t.Errorf("a double click is %s", l)
	}
	r.press("#right", "", "right")
	if l := r.next(); l.Method != "rclick" {
		t.Errorf("a right click is %s", l)
	}
	r.click("#count")
	r.wants(`click {"sel":"role=button[name=\"Count\"]"}`)
	r.eval(`document.querySelector('#country').focus()`)
	r.types("F") // the keyboard chooses France
	r.sees(`document.querySelector('#country').value === 'fr'`)
	r.wants(`press {"key":"F","sel":"label=Country"}`, `sel {"sel":"label=Country","val":"fr"}`)
	r.replays()
}
