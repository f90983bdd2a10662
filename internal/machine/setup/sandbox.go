package setup

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"pwpipe/internal/browser/chromesandbox"
)

// The values of Options.Sandbox.
const (
	SandboxAuto = "auto" // on wherever it can be
	SandboxOn   = "on"   // no browser without it
	SandboxOff  = "off"  // what Playwright does unless told otherwise
)

// Confinement is whether a browser is started with its own sandbox on.
type Confinement struct {
	chromesandbox.Finding
	Remembered bool // an earlier run found it out
}

func off(why, fix string) Confinement {
	return Confinement{Finding: chromesandbox.Finding{Why: why, Fix: fix}}
}

// noFor is how long a negative result is valid: a fix may not change the conditions,
// and a failed try costs little.
const noFor = 24 * time.Hour

// maxSeen bounds the kept findings.
const maxSeen = 32

type sandboxSeen struct {
	chromesandbox.Finding
	Time time.Time `json:"time"`
}

// Sandbox says whether to start in with its own sandbox on. For a new combination of
// browser, user and system it tries the browser, which costs its start; then the answer
// is in the cache folder. With anew it always tries. An error prevents the start.
func Sandbox(ctx context.Context, o Options, in *Installed, anew bool) (Confinement, error) {
	s, err := newSetup(o)
	if err != nil {
		return Confinement{}, err
	}
	mode := cmp.Or(o.Sandbox, SandboxAuto)
	if mode == SandboxOff {
		return off("--browser-sandbox is off", "leave --browser-sandbox out"), nil
	}
	c, err := s.confinement(ctx, in, anew)
	switch {
	case mode == SandboxOn && err != nil:
		return c, fmt.Errorf("--browser-sandbox on: can't determine whether the browser's sandbox works: %w", err)
	case mode == SandboxOn && !c.On:
		return c, withoutSandbox(c.Finding)
	case err != nil: // not found out this time: a start without it is better than none
		return off(err.Error(), "pwpipe doctor"), nil
	}
	return c, nil
}

// CheckSandbox refuses SandboxOn before anything starts, if the browser is here
// already; one that has to be fetched is judged when it starts.
func CheckSandbox(ctx context.Context, o Options) error {
	if o.Sandbox != SandboxOn {
		return nil
	}
	if f := chromesandbox.Known(); f != nil && !f.On {
		return withoutSandbox(*f)
	}
	o.Offline = true
	in, err := Ensure(ctx, o)
	if err != nil {
		return nil
	}
	_, err = Sandbox(ctx, o, in, false)
	return err
}

func withoutSandbox(f chromesandbox.Finding) error {
	return fmt.Errorf("--browser-sandbox on: %s; %s, or use --browser-sandbox auto", f.Why, f.Fix)
}

func (s *setup) confinement(ctx context.Context, in *Installed, anew bool) (Confinement, error) {
	if in.Kind != "" && in.Kind != "chromium" {
		return off("pwpipe can answer for Chromium's sandbox alone, not for that of "+in.Kind, "leave --browser out"), nil
	}
	if known := chromesandbox.Known(); known != nil {
		return Confinement{Finding: *known}, nil
	}
	exe, err := s.executable(in)
	if err != nil {
		return Confinement{}, err
	}
	st, err := os.Stat(exe)
	if err != nil {
		return Confinement{}, err
	}
	key := fmt.Sprintf("%.16x", sha256.Sum256(fmt.Appendln(nil, exe, st.Size(), st.ModTime().UnixNano(), chromesandbox.Conditions(exe))))
	if old, ok := s.readState().Sandboxes[key]; ok && !anew && (old.On || time.Since(old.Time) < noFor) {
		return Confinement{old.Finding, true}, nil
	}
	f, err := chromesandbox.Try(ctx, chromesandbox.Browser{Path: exe, Env: in.Env, Args: in.Args})
	if err != nil {
		return Confinement{}, err
	}
	state := s.readState() // again: a try takes time
	state.Sandboxes[key] = sandboxSeen{f, time.Now().UTC().Round(time.Second)}
	forgetOldest(state.Sandboxes, maxSeen, func(s sandboxSeen) time.Time { return s.Time })
	s.writeState(state)
	return Confinement{Finding: f}, nil
}

func forgetOldest[S any](seen map[string]S, most int, when func(S) time.Time) {
	keys := slices.SortedFunc(maps.Keys(seen), func(a, b string) int { return when(seen[b]).Compare(when(seen[a])) })
	for _, k := range keys[min(len(keys), most):] {
		delete(seen, k)
	}
}

// executable is the program that Playwright will start.
func (s *setup) executable(in *Installed) (string, error) {
	if path := in.Program(); path != "" {
		return path, nil
	}
	for _, name := range []string{"chromium-headless-shell", "chromium"} {
		b, err := readBrowser(in.DriverDir, name)
		if err != nil {
			return "", err
		}
		dir := b.dir(s.browsersDir())
		if dir == "" {
			continue
		}
		for _, exe := range []string{"headless_shell", "chrome"} {
			if found, _ := filepath.Glob(filepath.Join(dir, "*", exe)); len(found) > 0 {
				return found[0], nil
			}
		}
	}
	return "", errorf("Playwright's Chromium is not in %s", s.browsersDir())
}
