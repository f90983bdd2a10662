package scripts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"

	"github.com/playwright-community/playwright-go"

	"pwpipe/features/endpoint"
	"pwpipe/features/endpoint/cdpview"
	"pwpipe/features/film"
	"pwpipe/features/har"
	"pwpipe/features/scripts/scripthost"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/files"
	"pwpipe/handlers/refs"
	"pwpipe/handlers/tool"
	"pwpipe/handlers/workarounds"
	"pwpipe/provider"
)

// host is everything outside its process that a script of a page's session can reach.
func host(p *browser.Page, h Helpers) scripthost.Host {
	s, e := p.Session, p.Engine
	c := contexts{s, e}
	rules := endpoint.Rules(s)
	return scripthost.Host{
		Serve: func(ctx context.Context, client cdpview.Client) error {
			return endpoint.ServeScript(ctx, s, e, client, func(id string) bool { return openedBy.Of(s).context(id) != nil })
		},
		Context: c.options, NewContext: c.open, CloseContext: c.close, CloseBrowser: c.closeAll,
		Film: filmsOf(e),
		Viewport: func(target string, width, height int) error {
			p, err := openPage(s, target)
			if err != nil {
				return err
			}
			return p.Resize(width, height)
		},
		Media: func(target string, options scripthost.Media) error {
			p, err := openPage(s, target)
			if err != nil {
				return err
			}
			return emulateMedia(p, options)
		},
		Selector: func(target, sel string, gone bool) (string, error) {
			p, err := openPage(s, target)
			if err != nil {
				return "", err
			}
			return refs.Named.Of(p).SelectorOr(sel, gone)
		},
		Describe: func(target string) string {
			if p := endpoint.PageBy(s, target); p != nil {
				return "page " + p.Where().String()
			}
			return "page (closed)"
		},
		Helper: func(ctx context.Context, name, target string, options json.RawMessage) (any, []byte, error) {
			p, err := openPage(s, target)
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %w", name, err)
			}
			return h.call(&tool.Call{Ctx: ctx, Page: p}, name, options)
		},
		Plain: func(name, target string, arg json.RawMessage) (any, error) {
			return h.plain(s, name, target, arg)
		},
		Explain: func(_ context.Context, about scripthost.About) string { return explain(s, about) },
		Request: rules.Request, Upload: rules.Upload, HAR: har.CheckedHAR,
		Dial:  func(ctx context.Context, to scripthost.Address) (net.Conn, error) { return dial(ctx, s, to) },
		Hears: func(to scripthost.Address) bool { return hears(s, to) }, Download: downloads.Of(s).path,
		Wrote: func(ctx context.Context, path string) {
			if _, err := os.Lstat(path); err == nil { // it may be gone again
				provider.Wrote(ctx, path)
			}
		},
		Within: files.WithinFolder, Opened: files.OpenedOpen, Folders: folders(), Mask: s.Browser.Config.Mask, Unlisted: files.Unlisted, Shared: files.HoldsOthers,
	}
}

// openPage is a page of the session by its target.
func openPage(s *browser.Session, target string) (*browser.Page, error) {
	if p := endpoint.Identified(s, target); p != nil {
		return p, nil
	}
	return nil, errors.New("the page is closed")
}

// filmsOf starts films that a browser encodes; nil if it can't.
func filmsOf(e *browser.Engine) scripthost.FilmMaker {
	if !film.CanEncode(e) {
		return nil
	}
	return func(file *os.File, remove func(), most int64, width, height, rate int) (scripthost.Film, error) {
		made, err := film.Into(e, file, remove, most, width, height, rate)
		if errors.Is(err, film.ErrNoEncoder) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		return recorded{made, e.Records.Add(func(*browser.Engine) { _ = made.Finish() })}, nil
	}
}

// recorded is a film that is completed before its browser closes.
type recorded struct {
	scripthost.Film
	forget func()
}

// Finish is [scripthost.Film.Finish].
func (r recorded) Finish() error {
	defer r.forget()
	return r.Film.Finish()
}

// emulateMedia is page.emulateMedia.
func emulateMedia(p *browser.Page, in scripthost.Media) error {
	return workarounds.EmulateMedia(p, playwright.PageEmulateMediaOptions{
		Media: (*playwright.Media)(in.Media), ColorScheme: (*playwright.ColorScheme)(in.ColorScheme),
		ReducedMotion: (*playwright.ReducedMotion)(in.ReducedMotion),
		ForcedColors:  (*playwright.ForcedColors)(in.ForcedColors), Contrast: (*playwright.Contrast)(in.Contrast),
	})
}

// folders are the folders of package files; relative paths start in the working folder,
// if that is allowed.
func folders() []string {
	list := append([]string{}, files.InForce().Roots...)
	if cwd, err := os.Getwd(); err == nil {
		if i := slices.Index(list, cwd); i > 0 {
			list[0], list[i] = list[i], list[0]
		}
	}
	return list
}

func (h Helpers) call(c *tool.Call, name string, raw json.RawMessage) (any, []byte, error) {
	do := h.Named[name]
	if do == nil {
		return nil, nil, fmt.Errorf("%.40s is not available here", name)
	}
	var given any
	if err := json.Unmarshal(raw, &given); err != nil {
		return nil, nil, err
	}
	options, ok := given.(map[string]any)
	if !ok {
		return nil, nil, fmt.Errorf("%s takes an object", name)
	}
	for key, v := range options {
		var err error
		if options[key], err = meant(c.Session, v); err != nil {
			return nil, nil, fmt.Errorf("%s: %s: %w", name, key, err)
		}
	}
	v, err := do(c, options)
	if err != nil {
		return nil, nil, err
	}
	if m, ok := v.(map[string]any); ok {
		if picture, ok := m["image"].([]byte); ok {
			delete(m, "image")
			return m, picture, nil
		}
	}
	return v, nil, nil
}

// meant is a value in the form that a helper takes.
func meant(s *browser.Session, v any) (any, error) {
	m, _ := v.(map[string]any)
	sel, ok := m["$locator"].(string)
	if !ok {
		return v, nil
	}
	target, _ := m["page"].(string)
	p := endpoint.PageBy(s, target)
	if p == nil {
		return nil, errors.New("the page is closed")
	}
	if main, _ := m["main"].(bool); !main {
		return nil, errors.New("a locator of a frame: use page.frameLocator, or a ref")
	}
	sel, err := refs.Named.Of(p).Selector(sel)
	if err != nil {
		return nil, err
	}
	return p.PW.Locator(sel), nil
}

// plain calls a helper that answers at once.
func (h Helpers) plain(s *browser.Session, name, target string, arg json.RawMessage) (any, error) {
	do := h.Plain(s)[name]
	if do == nil {
		return nil, fmt.Errorf("%.40s is not available here", name)
	}
	if p := endpoint.PageBy(s, target); p != nil {
		return do([]any{p.PW})
	}
	var v any
	_ = json.Unmarshal(arg, &v)
	return do([]any{v})
}
