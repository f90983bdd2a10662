package tool_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pwpipe/fixtures"
	"pwpipe/handlers"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/files"
	"pwpipe/handlers/launch"
	"pwpipe/handlers/tool"
	"pwpipe/internal/policy"
	"pwpipe/provider"
)

// road is a browser in this process, and tools that show what a call goes through.
type road struct {
	*testing.T
	ctx   context.Context
	table *provider.Table
	ran   atomic.Int32         // calls of the tools' functions
	runs  chan context.Context // of each function of hang that has begun
}

type parts struct {
	Sel   tool.Selector  `json:"sel,omitempty" doc:"an element"`
	URL   tool.URL       `json:"url,omitempty" doc:"where to go"`
	Read  tool.ReadPath  `json:"read,omitempty" doc:"a file that is read"`
	Write tool.WritePath `json:"write,omitempty" doc:"a file that is written"`
}

func startRoad(t *testing.T, folder string) *road {
	t.Helper()
	site, err := fixtures.Serve()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = site.Close() })
	allowed, err := policy.New(policy.Options{Allowed: []string{"127.0.0.1"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := files.LimitFiles([]string{folder}, folder); err != nil {
		t.Fatal(err)
	}
	b := handlers.NewBrowser(browser.Config{StartOptions: launch.StartOptions{BaseURL: site.URL}, Policy: allowed})
	t.Cleanup(func() { b.Close(context.WithoutCancel(t.Context())) })
	r := &road{T: t, runs: make(chan context.Context, 10)}
	r.ctx = browser.WithSession(t.Context(), b.NewSession(browser.SessionOptions{}))
	echo := func(in parts) (parts, error) { r.ran.Add(1); return in, nil }
	r.table = provider.NewTable(append(handlers.Tools(),
		tool.OnPage(tool.Core.Acts("show", "Show", "Answer what the function is given"),
			func(_ *tool.Call, in parts) (parts, error) { return echo(in) }),
		tool.OnSession(tool.Core.Acts("show-session", "Show", "Answer what the function of a session is given"),
			func(_ context.Context, _ *browser.Session, in parts) (parts, error) { return echo(in) }),
		tool.OnPage(tool.Core.Acts("part", "Part", "Answer whether a part of the call has 15 s, and its time").Within(time.Minute),
			func(c *tool.Call, _ tool.NoParams) (string, error) {
				part := c.UpTo(10*time.Second, time.Minute)
				return fmt.Sprint(part.TimeLeft() > 15*time.Second, part.After()), nil
			}),
		tool.OnPageDo(tool.Core.Acts("hang", "Hang", "Never end"), func(c *tool.Call, _ tool.NoParams) error {
			r.runs <- c.Ctx
			select {} // as a call of Playwright's does that nothing ends
		}),
		tool.OnPageDo(tool.Core.Reads("fail", "Fail", "Fail with an error that names the element"), func(c *tool.Call, in parts) error {
			return provider.Errorf(provider.KindFailed, "%q is no good", in.Sel)
		}),
	), provider.TableOptions{})
	return r
}

func (r *road) try(ctx context.Context, name, params string) (string, *provider.Error) {
	res, err := r.table.Call(ctx, provider.Request{Tool: name, Params: json.RawMessage(params)})
	return string(res.JSON), provider.AsError(err)
}

func (r *road) does(name, params string) string {
	r.Helper()
	out, err := r.try(r.ctx, name, params)
	if err != nil {
		r.Fatalf("%s %s: %v", name, params, err)
	}
	return out
}

func (r *road) refuses(name, params string, kind provider.Kind, text string) {
	r.Helper()
	before := r.ran.Load()
	_, err := r.try(r.ctx, name, params)
	if err == nil || err.Kind != kind || !strings.Contains(err.Error(), text) {
		r.Errorf("%s %s: %v; want %q (%s)", name, params, err, text, kind)
	}
	if r.ran.Load() != before {
		r.Errorf("%s %s: the tool's function ran", name, params)
	}
}

// TestRoad: what a call goes through before and behind its function, in one browser.
func TestRoad(t *testing.T) {
	folder := t.TempDir()
	r := startRoad(t, folder)
	in, out := filepath.Join(folder, "a.txt"), filepath.Join(t.TempDir(), "a.txt")
	quote := func(path string) string { q, _ := json.Marshal(path); return string(q) }
	r.does("nav", `["/login"]`)

	// A ref is a selector by the time that the function sees it, and the client's own word in
	// an error.
	outline := r.does("snapshot", `{}`)
	_, after, found := strings.Cut(outline, `textbox \"E-mail\" [ref=`)
	ref, _, _ := strings.Cut(after, "]")
	if !found {
		r.Fatalf("no field in %s", outline)
	}
	if got := r.does("show", `{"sel":"`+ref+`"}`); strings.Contains(got, `"sel":"`+ref+`"`) || !strings.Contains(got, `"sel":`) {
		r.Errorf("the function sees %s", got)
	}
	if _, err := r.try(r.ctx, "fail", `{"sel":"`+ref+`"}`); err == nil || !strings.Contains(err.Error(), `"`+ref+`" is no good`) {
		r.Errorf("an error names %v, not %s", err, ref)
	}

	// The policy judges where the page is to go, and the file rules what is read and written,
	// before the function runs; whatever it works on.
	r.refuses("show", `{"url":"https://elsewhere.test/"}`, provider.KindBlocked, "elsewhere.test")
	r.refuses("show", `{"url":"file:///etc/passwd"}`, provider.KindBlocked, "file")
	for _, name := range []string{"show", "show-session"} {
		r.refuses(name, `{"read":`+quote(out)+`}`, provider.KindBlocked, "a.txt")
		r.refuses(name, `{"write":`+quote(out)+`}`, provider.KindBlocked, "a.txt")
		r.refuses(name, `{"write":`+quote(filepath.Join(folder, "..", "b.txt"))+`}`, provider.KindBlocked, "b.txt")
		if got := r.does(name, `{"write":`+quote(in)+`}`); !strings.Contains(got, "a.txt") {
			r.Errorf("%s: %s", name, got)
		}
	}

	// A part of a call has a time of its own, unless the caller has named one: shorter or longer.
	for timeout, want := range map[time.Duration]string{0: `"false 10s"`, 3 * time.Second: `"false 3s"`, time.Hour: `"true 1h0m0s"`} {
		got, err := r.table.Call(r.ctx, provider.Request{Tool: "part", Timeout: timeout})
		if string(got.JSON) != want {
			r.Errorf("timeout %s: %s, %v", timeout, got.JSON, err)
		}
	}

	// A function that nothing ends does not hold the caller: the call ends with its deadline,
	// with its request, and with its page. The page serves the next call.
	ended := func(what string, kind provider.Kind, request provider.Request, end func()) {
		t.Helper()
		ctx, cancel := context.WithCancel(r.ctx)
		defer cancel()
		failed := make(chan *provider.Error, 1)
		go func() {
			_, err := r.table.Call(ctx, request)
			failed <- provider.AsError(err)
		}()
		<-r.runs
		if end == nil {
			cancel()
		} else {
			end()
		}
		if err := <-failed; err == nil || err.Kind != kind {
			r.Errorf("%s: %v, want %s", what, err, kind)
		}
	}
	ended("cancelled", provider.KindCancelled, provider.Request{Tool: "hang"}, nil)
	ended("its time is over", provider.KindTimeout, provider.Request{Tool: "hang", Timeout: time.Second}, func() {})
	r.does("new-page", `["c1"]`)
	ended("its page is closed", provider.KindNoTarget, provider.Request{Tool: "hang", Page: "p2"}, func() { r.does("close-page", `["p2"]`) })
	if got := r.does("title", `[]`); !strings.Contains(got, "Sign in") {
		r.Errorf("after these the page says %s", got)
	}
}
