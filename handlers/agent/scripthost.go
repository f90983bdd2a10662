package agent

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/files"
	"pwpipe/handlers/guard"
	"pwpipe/handlers/har"
	"pwpipe/handlers/inspect"
	"pwpipe/handlers/lists"
	"pwpipe/handlers/load"
	"pwpipe/handlers/refs"
	"pwpipe/handlers/tool"
	"pwpipe/internal/script"
)

// scriptHost is what scripts of a session can reach.
func scriptHost(s *browser.Session) script.Host {
	folders := append([]string{}, files.InForce().Roots...)
	if cwd, err := os.Getwd(); err == nil { // relative paths start there, if that is allowed
		if i := slices.Index(folders, cwd); i > 0 {
			folders[0], folders[i] = folders[i], folders[0]
		}
	}
	return script.Host{
		Spent:      func(why error) { scripted.Of(s).spent(why) },
		Assertions: playwright.NewPlaywrightAssertions(),
		Folders:    folders,
		Mask:       s.Browser.Config.Mask,
		HAR:        har.CheckedHAR,
		Recorded:   func(c playwright.BrowserContext, path string) { har.Records(s, c, path, "") },
		Reword:     func(self any, url string, err error) error { return guard.ScriptFailure(s, self, url, err) },
		Unlisted:   files.Unlisted,
		Shared:     files.HoldsOthers,
		Rules:      guard.ScriptGuard(s),
		Selector: func(pw playwright.Page, sel string) (string, error) {
			if p := s.Find(pw); p != nil {
				return refs.Named.Of(p).Selector(sel)
			}
			return sel, nil
		},
		Frames: func(pw playwright.Page) []playwright.Frame {
			if p := s.Find(pw); p != nil {
				return p.Frames.All()
			}
			return lists.AttachedTo(pw.MainFrame())
		},
		Loaded: func(ctx context.Context, f playwright.Frame, state string, within time.Duration) error {
			if p := s.Find(f.Page()); p != nil {
				return load.Loaded(ctx, p, f, playwright.LoadState(state), within)
			}
			return load.LoadedIn(ctx, nil, f, playwright.LoadState(state), within)
		},
		Explain: func(l playwright.Locator, sel string, err error) string {
			return tool.ExplainLocator(s.Browser, l, sel, err)
		},
		Describe: func(pw playwright.Page) string {
			if p := s.Find(pw); p != nil {
				return "page " + p.Where().String()
			}
			return "page " + pw.URL()
		},
		Helpers: helpers(s),
		Plain:   inspect.PlainHelpers(s),
		Own:     scriptOwn(s),
	}
}

// helpers are the seed's, by name. The first argument is the page, the second
// the options.
func helpers(s *browser.Session) map[string]func(context.Context, []any) (any, error) {
	all := map[string]func(context.Context, []any) (any, error){}
	for name, fn := range helpersOfScripts.Named {
		all[name] = func(ctx context.Context, args []any) (any, error) {
			if len(args) < 2 {
				return nil, fmt.Errorf("%s takes an object", name)
			}
			pw, _ := args[0].(playwright.Page)
			options, _ := args[1].(map[string]any)
			p := s.Find(pw)
			if p == nil {
				return nil, fmt.Errorf("%s: the page is closed", name)
			}
			v, err := fn(&tool.Call{Ctx: ctx, Page: p}, options)
			if err != nil {
				return nil, err
			}
			return v, nil
		}
	}
	return all
}
