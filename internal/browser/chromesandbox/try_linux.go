package chromesandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"pwpipe/internal/browser/cdp"
	"pwpipe/internal/browser/chromium"
	"pwpipe/internal/machine/temp"
)

// try starts the browser with its sandbox on. If it does not start and gives no reason,
// it is also started without: if that works, the sandbox was the reason.
func try(ctx context.Context, b Browser) (Finding, error) {
	f, err := start(ctx, b)
	var silent *silentEnd
	if !errors.As(err, &silent) {
		return f, err
	}
	if f, ok := explain(silent.said); ok {
		return f, nil
	}
	without := b
	without.Args = append(slices.Clip(b.Args), "--no-sandbox")
	if _, err := start(ctx, without); errors.As(err, &silent) {
		return Finding{}, fmt.Errorf("the browser does not start, with or without its sandbox: %w", err)
	}
	return Finding{Why: "the browser did not come up with it: " + silent.Error(), Fix: fixBrowser}, nil
}

// silentEnd: a browser ended without an answer.
type silentEnd struct {
	said  string // on stderr
	ended error
}

func (e *silentEnd) Error() string { return cmp.Or(lastWords(e.said), fmt.Sprint(e.ended)) }

// start starts the browser, asks a page, and checks the page's process.
func start(ctx context.Context, b Browser) (Finding, error) {
	// A folder like those of runs, so that the sweep removes the remains of a killed
	// try too.
	dir, err := temp.Make()
	if err != nil {
		return Finding{}, err
	}
	defer temp.Remove(dir)
	p, err := chromium.Start(chromium.Options{Program: b.Path, Env: append(environment(temp.Short(dir)), b.Env...)},
		append([]string{"--headless", "--remote-debugging-pipe", "--user-data-dir=" + dir, "--disable-gpu",
			"--disable-background-networking", "--disable-breakpad", "--no-first-run"}, b.Args...))
	if err != nil {
		return Finding{}, err
	}
	defer context.AfterFunc(ctx, p.Kill)()
	said, told := &tail{}, make(chan struct{})
	go func() { p.Tell(said); close(told) }()
	pids, failed := pageProcesses(ctx, p.Session())
	var f Finding
	if failed == nil {
		f = judge(pids) // while they exist
		p.Kill()
	}
	_ = p.Conn().Close() // ends what has not ended yet
	<-told
	switch {
	case ctx.Err() != nil:
		return Finding{}, context.Cause(ctx)
	case failed != nil:
		return Finding{}, &silentEnd{said.String(), cmp.Or(p.Fault(), failed)}
	}
	return f, nil
}

// pageProcesses runs a script in a page, and answers the process ids of the browser's
// pages.
func pageProcesses(ctx context.Context, browser *cdp.Session) (pids []int, err error) {
	if browser == nil {
		return nil, cdp.ErrGone
	}
	var opened struct{ TargetID string }
	err = browser.Call(ctx, "Target.createTarget", map[string]any{"url": "data:text/html,<p>up"}, &opened)
	if err != nil {
		return nil, err
	}
	page, err := browser.Attach(ctx, opened.TargetID)
	if err != nil {
		return nil, err
	}
	var answer struct{ Result struct{ Value int } }
	if err := page.Call(ctx, "Runtime.evaluate", map[string]any{"expression": "6*7"}, &answer); err != nil {
		return nil, err
	}
	if answer.Result.Value != 42 {
		return nil, fmt.Errorf("its page does not run scripts: 6*7 was %d", answer.Result.Value)
	}
	var list struct {
		ProcessInfo []struct {
			Type string
			ID   int
		}
	}
	err = browser.Call(ctx, "SystemInfo.getProcessInfo", nil, &list)
	for _, p := range list.ProcessInfo {
		if p.Type == "renderer" {
			pids = append(pids, p.ID)
		}
	}
	return pids, err
}

// environment is the browser's whole environment: the test needs nothing else of ours.
func environment(temp string) []string {
	env := []string{"TMPDIR=" + temp}
	for _, name := range []string{"PATH", "HOME", "LANG"} {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// tail keeps the end of a browser's output. One goroutine writes it, and has ended when it is read.
type tail struct{ text []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	if over := len(t.text) - 16<<10; over > 0 {
		t.text = append(t.text[:0], t.text[over:]...)
	}
	return len(p), nil
}

func (t *tail) String() string { return string(t.text) }
