// Package tool declares tools and runs every call on a page: the steps are in
// `road.go`; errors that tools share are in `explain.go`. [OnPage] is that
// sequence.
package tool

import (
	"context"
	"reflect"
	"strings"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/events"
	"pwpipe/handlers/files"
	"pwpipe/handlers/guard"
	"pwpipe/handlers/refs"
	"pwpipe/handlers/workarounds"
	"pwpipe/provider"
)

// Parameters of these types are looked at before their tool runs. To a client
// they are strings.
type (
	// Selector is one of Playwright's. A ref (e5) is turned into one before the
	// tool sees it.
	Selector string
	// URL is where the page is to go, judged by the policy before it does.
	URL string
	// ReadPath is a file in the folders that tools may use.
	ReadPath string
	// WritePath is a file in those folders, and no link. "" of one that may be
	// left out is none.
	WritePath string
)

// Verbatim: a secret must not become the name of a file.
func (ReadPath) Verbatim() {}

func (WritePath) Verbatim() {}

// checks are what is looked at among parameters of type In. They are found once,
// where a tool is declared.
type checks[In any] struct {
	selectors provider.Fields[In, Selector]
	urls      provider.Fields[In, URL]
	reads     provider.Fields[In, ReadPath]
	writes    provider.Fields[In, WritePath]
	optional  map[string]bool // those that may be left out
}

func checksOf[In any]() checks[In] {
	k := checks[In]{provider.FieldsOf[In, Selector](), provider.FieldsOf[In, URL](),
		provider.FieldsOf[In, ReadPath](), provider.FieldsOf[In, WritePath](), map[string]bool{}}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[In]()) {
		if name, rest, _ := strings.Cut(f.Tag.Get("json"), ","); !f.Anonymous && f.IsExported() {
			k.optional[name] = rest == "omitempty"
		}
	}
	return k
}

// paths judges the files that are named.
func (k checks[In]) paths(in *In) error {
	err := k.reads.Each(in, func(name string, path *ReadPath) error {
		if *path == "" && k.optional[name] {
			return nil
		}
		return files.MayTouch(string(*path))
	})
	if err != nil {
		return err
	}
	return k.writes.Each(in, func(name string, path *WritePath) error {
		if *path == "" && k.optional[name] {
			return nil
		}
		return files.CheckTarget(string(*path))
	})
}

// goes is where the page is to go, "" for nowhere.
func (k checks[In]) goes(in *In) (to string) {
	_ = k.urls.Each(in, func(_ string, url *URL) error {
		if to == "" {
			to = string(*url)
		}
		return nil
	})
	return to
}

// shownTarget is how many characters of a target people see.
const shownTarget = 200

// target is what a call acts on, as its client worded it: its selectors, or where the
// page is to go.
func (k checks[In]) target(in *In) string {
	var list []string
	_ = k.selectors.Each(in, func(_ string, sel *Selector) error {
		if *sel != "" {
			list = append(list, string(*sel))
		}
		return nil
	})
	if len(list) == 0 {
		return k.goes(in)
	}
	return strings.Join(list, ", ")
}

// refs turns the selectors into the driver's.
func (k checks[In]) refs(c *Call, in *In) (refs.Rewritten, error) {
	var made refs.Rewritten
	err := k.selectors.Each(in, func(name string, sel *Selector) error {
		given := string(*sel)
		if given == "" {
			return nil
		}
		own, err := refs.Named.Of(c.Page).Selector(given)
		if err != nil || own == given {
			return err
		}
		if made == nil {
			made = refs.Rewritten{}
		}
		made[own] = given
		noteRef(c, name, given, own)
		*sel = Selector(own)
		return nil
	})
	return made, err
}

// OnPage declares a tool that works on a page: the one that the request names,
// or the active one. fn may block in Playwright; the caller gets an answer all
// the same when the deadline passes, the page or the browser is gone, or the
// request is cancelled.
//
// This is the road of every call on a page: it is found, or opened, and does
// not hang (Prepare); is not held, or the tool is for that; refs become
// selectors; an acting call is marked; the guard looks where the page is and
// where it goes; files are judged; labels go; the tool runs, and always ends;
// the guard looks where the page is now.
func OnPage[In, Out any](spec Spec, fn func(*Call, In) (Out, error)) *provider.Tool {
	spec.Prepare = preparePage
	check := checksOf[In]()
	fn = shaped(fn)
	return Define(spec, func(ctx context.Context, in In) (out Out, err error) {
		p := ctx.Value(pageKey{}).(*browser.Page)
		done := workarounds.Busy(p)
		defer func() { done(provider.Awaited(ctx)); p.Told(err) }()
		if err := p.RefusePaused(ctx, (*provider.Spec)(&spec)); err != nil {
			return out, err
		}
		c := &Call{Ctx: ctx, Page: p}
		provider.AimFrom(ctx).Take(p.Name, p.Short(check.target(&in), shownTarget))
		made, err := check.refs(c, &in)
		if err != nil {
			return out, err
		}
		if spec.Effect == provider.Acts {
			events.MarkActs(p)
		}
		catchUp(provider.Spec(spec), p)
		out, err = guard.Guarded(ctx, p, spec.Effect, check.goes(&in), func() (Out, error) {
			return browser.Await(ctx, p.Engine, p, func() (out Out, err error) {
				if spec.Effect != provider.Reads && spec.Effect != provider.Waits && !p.IsPaused() {
					p.Act(ctx)
				}
				if err := check.paths(&in); err != nil {
					return out, err
				}
				return fn(c, in)
			})
		})
		return out, made.AsGiven(err)
	})
}

// OnPageDo is [OnPage] for a tool that answers null.
func OnPageDo[In any](spec Spec, fn func(*Call, In) error) *provider.Tool {
	return OnPage(spec, func(c *Call, in In) (provider.None, error) { return provider.None{}, fn(c, in) })
}

// OnSession declares a tool that works on handles rather than on a page.
func OnSession[In, Out any](spec Spec, fn func(context.Context, *browser.Session, In) (Out, error)) *provider.Tool {
	spec.Prepare = func(ctx context.Context) (context.Context, error) {
		_, err := browser.SessionOf(ctx).Running(ctx)
		return ctx, err
	}
	check := checksOf[In]()
	return Define(spec, func(ctx context.Context, in In) (out Out, err error) {
		if err := check.paths(&in); err != nil {
			return out, err
		}
		catchUp(provider.Spec(spec), browser.SessionOf(ctx).OpenPages()...)
		return fn(ctx, browser.SessionOf(ctx), in)
	})
}

// OnSessionDo is [OnSession] for a tool that answers null.
func OnSessionDo[In any](spec Spec, fn func(context.Context, *browser.Session, In) error) *provider.Tool {
	return OnSession(spec, func(ctx context.Context, s *browser.Session, in In) (provider.None, error) {
		return provider.None{}, fn(ctx, s, in)
	})
}

type pageKey struct{}

// preparePage finds the page, and starts what it takes, before the deadline
// of the tool starts.
func preparePage(ctx context.Context) (context.Context, error) {
	handle := provider.RequestFrom(ctx).Page
	for {
		p, err := browser.SessionOf(ctx).Page(ctx, handle)
		if err != nil {
			return ctx, err
		}
		err = p.Settled(ctx)
		if err == nil {
			return context.WithValue(ctx, pageKey{}, p), nil
		}
		// A page that hung has been closed meanwhile. Who named it is told;
		// who did not gets the page that took its place.
		if handle != "" || ctx.Err() != nil {
			return ctx, err
		}
	}
}
