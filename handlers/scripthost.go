package handlers

import (
	"context"
	"fmt"
	"os"
	"pwpipe/internal/script"
	"slices"
	"time"

	"github.com/playwright-community/playwright-go"
)

// scriptHost is what scripts of a session can reach.
func (s *Session) scriptHost() script.Host {
	folders := append([]string{}, inForce().roots...)
	if cwd, err := os.Getwd(); err == nil { // relative paths start there, if that is allowed
		if i := slices.Index(folders, cwd); i > 0 {
			folders[0], folders[i] = folders[i], folders[0]
		}
	}
	return script.Host{
		Spent:      func(why error) { scripted.Of(s).spent(why) },
		Assertions: playwright.NewPlaywrightAssertions(),
		Folders:    folders,
		Mask:       s.browser.cfg.Mask,
		HAR:        checkedHAR,
		Recorded:   func(c playwright.BrowserContext, path string) { s.records(c, path, "") },
		Reword:     func(self any, url string, err error) error { return s.scriptFailure(self, url, err) },
		Unlisted:   unlisted,
		Shared:     holdsOthers,
		Rules:      s.scriptGuard(),
		Selector: func(pw playwright.Page, sel string) (string, error) {
			if p := s.find(pw); p != nil {
				return named.Of(p).selector(sel)
			}
			return sel, nil
		},
		Frames: func(pw playwright.Page) []playwright.Frame {
			if p := s.find(pw); p != nil {
				return p.frames.all()
			}
			return attachedTo(pw.MainFrame())
		},
		Loaded: func(ctx context.Context, f playwright.Frame, state string, within time.Duration) error {
			if p := s.find(f.Page()); p != nil {
				return p.loaded(ctx, f, playwright.LoadState(state), within)
			}
			return loadedIn(ctx, nil, f, playwright.LoadState(state), within)
		},
		Explain: func(l playwright.Locator, sel string, err error) string { return s.browser.explainLocator(l, sel, err) },
		Describe: func(pw playwright.Page) string {
			if p := s.find(pw); p != nil {
				return "page " + p.where().String()
			}
			return "page " + pw.URL()
		},
		Helpers: s.helpers(),
		Plain:   s.plainHelpers(),
		Own:     s.scriptOwn(),
	}
}

// helpers are the seed's, by name. The first argument is the page, the second
// the options.
func (s *Session) helpers() map[string]func(context.Context, []any) (any, error) {
	all := map[string]func(context.Context, []any) (any, error){}
	for name, fn := range map[string]helper{
		"accessibilitySnapshot": withOptions(snapshotHelper), "screenshotWithAccessibilityLabels": withOptions(labelledHelper),
		"showAriaRefLabels": withOptions(showLabels), "hideAriaRefLabels": withOptions(hideLabels), "waitForPageLoad": withOptions(waitForLoad),
		"getLatestLogs": withOptions(latestLogs), "getCleanHTML": withOptions(cleanHTML),
		"devtools": devtoolsHelper, "getStylesForLocator": withOptions(stylesHelper), "getReactSource": withOptions(reactHelper),
	} {
		all[name] = func(ctx context.Context, args []any) (any, error) {
			if len(args) < 2 {
				return nil, fmt.Errorf("%s takes an object", name)
			}
			pw, _ := args[0].(playwright.Page)
			options, _ := args[1].(map[string]any)
			p := s.find(pw)
			if p == nil {
				return nil, fmt.Errorf("%s: the page is closed", name)
			}
			v, err := fn(&call{ctx: ctx, page: p}, options)
			if err != nil {
				return nil, err
			}
			return v, nil
		}
	}
	return all
}
