//go:build evidence

package service_test

import (
	"archive/zip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

func TestCurlExamples(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestGuideExamples and TestTranscripts are quick")
	t.Parallel()
	for _, tool := range []string{"sh", "curl", "jq"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("no %s here", tool)
		}
	}
	svc := pipetest.SharedService(t)
	run := func(env ...string) (string, error) {
		cmd := exec.Command("sh", "../../docs/service.sh")
		cmd.Env = append(os.Environ(), append([]string{"API=" + svc.URL + "/rpc", "API_KEY=" + pipetest.Key}, env...)...)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	out, err := run()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, want := range []string{
		`{"url":"` + svc.Site + `/projects","title":"Projects | Skerry"}`, "Lamp room restoration", "Fog bell\nNo place yet",
		`{"console":[],"pageErrors":[]}`, `{"requests":[]}`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}
	out, err = run("PAGE=https://example.com/")
	if err == nil || !strings.Contains(out, "not allowed here") {
		t.Errorf("%v: %s", err, out)
	}
	if n := svc.Metric("pwpipe_sessions_open"); n != "0" {
		t.Errorf("the script left %s sessions open", n)
	}
}

func TestHAR(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestHAR of tests/eachtool is quick")
	t.Parallel()
	temp := t.TempDir() // other tests record HARs in the shared folder
	svc := pipetest.StartService(t, "TMPDIR="+temp)
	for _, mode := range []any{true, "minimal"} {
		s := svc.Open(m{"har": mode})
		s.On("page.goto", m{"url": "/projects"})
		var out struct {
			OK  bool
			HAR struct {
				Log struct {
					Entries []struct {
						Request  struct{ URL string }
						Response struct {
							Status  int
							Content struct{ Text string }
						}
					}
				}
			}
		}
		s.On("session.close", nil, &out)
		seen := ""
		for _, e := range out.HAR.Log.Entries {
			if e.Request.URL == s.Site+"/api/projects" && e.Response.Status == 200 {
				seen = "the request"
				if strings.Contains(e.Response.Content.Text, "Lamp room") {
					seen = "the body"
				}
			}
		}
		if !out.OK || seen == "" || mode == true && seen != "the body" {
			t.Errorf("har %v: ok %v, %s, %d entries", mode, out.OK, seen, len(out.HAR.Log.Entries))
		}
	}
	if msg := svc.Fail(-32602, "session.create", m{"har": "much"}); !strings.Contains(msg, "har") {
		t.Error(msg)
	}
	if got := svc.Open(nil).On("session.close", nil); got != `{"ok":true}` {
		t.Errorf("without har: %s", got)
	}
	left, _ := filepath.Glob(filepath.Join(temp, "pwpipe-har-*"))
	if len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestTraceOnFailure(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestTranscripts is quick")
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "traces")
	svc := pipetest.StartService(t, "--trace-on-failure="+dir)
	good, bad := svc.Open(nil), svc.Open(nil)
	for _, s := range []pipetest.Session{good, bad} {
		s.On("page.goto", m{"url": "/form"})
	}
	good.Refuse(-32602, "page.goto", m{}) // a caller's mistake is not the page's failure
	fails := func(s pipetest.Session) {   // a busy page does not tell in time that nothing matches, and it is a timeout
		t.Helper()
		if r := s.Try("page.click", s.With(m{"selector": "#gone", "timeout": 2000})); r.Error == nil || r.Error.Code != -32000 && r.Error.Code != -32001 {
			t.Errorf("a click on nothing: %+v", r)
		}
	}
	fails(bad)
	good.On("session.close", nil)
	bad.On("session.close", nil)
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(files) != 1 || !strings.Contains(files[0], bad.ID) {
		t.Fatalf("traces: %v, want that of %s", files, bad.ID)
	}
	z, err := zip.OpenReader(files[0])
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	names := ""
	for _, f := range z.File {
		names += f.Name + "\n"
	}
	if !strings.Contains(names, "trace.trace") || !strings.Contains(names, "trace.network") {
		t.Errorf("not a trace:\n%s", names)
	}
	// Sessions open at the service's end are kept too.
	last := svc.Open(nil)
	fails(last)
	svc.Stop()
	if files, _ := filepath.Glob(filepath.Join(dir, "*"+last.ID+"*")); len(files) != 1 {
		t.Errorf("the trace of a session that was open at the end: %v", files)
	}
}
