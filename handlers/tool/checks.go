package tool

import (
	"cmp"
	"context"
	"reflect"
	"strings"

	"pwpipe/handlers/files"
	"pwpipe/handlers/refs"
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

func (k checks[In]) paths(in *In) error {
	return cmp.Or(judged(k, k.reads, in, files.MayTouch), judged(k, k.writes, in, files.CheckTarget))
}

// judged is the error of the first path of a kind that may not be.
func judged[In any, P ~string](k checks[In], paths provider.Fields[In, P], in *In, may func(string) error) error {
	return paths.Each(in, func(name string, path *P) error {
		if *path == "" && k.optional[name] {
			return nil
		}
		return may(string(*path))
	})
}

// given are the texts of a kind that are not empty.
func given[In any, S ~string](fields provider.Fields[In, S], in *In) (list []string) {
	_ = fields.Each(in, func(_ string, text *S) error {
		if *text != "" {
			list = append(list, string(*text))
		}
		return nil
	})
	return list
}

// destination is where the page is to go, "" for nowhere.
func (k checks[In]) destination(in *In) string { return cmp.Or(given(k.urls, in)...) }

// shownTarget is how many characters of a target people see.
const shownTarget = 200

// target is what a call acts on, as its client worded it: its selectors, or where the
// page is to go.
func (k checks[In]) target(in *In) string {
	return cmp.Or(strings.Join(given(k.selectors, in), ", "), k.destination(in))
}

// Amend puts another selector in the place of the one that a parameter has. given is how the
// client wrote it, own what the driver takes, and so is the answer.
type Amend func(c *Call, param, given, own string) (string, error)

type amendKey struct{}

// WithAmend has the selectors of the call under ctx amended.
func WithAmend(ctx context.Context, amend Amend) context.Context {
	return context.WithValue(ctx, amendKey{}, amend)
}

// refs turns the selectors into the driver's.
func (k checks[In]) refs(c *Call, in *In) (refs.Rewritten, error) {
	made := refs.Rewritten{}
	err := k.selectors.Each(in, func(name string, sel *Selector) error {
		given := string(*sel)
		if given == "" {
			return nil
		}
		own, err := refs.Named.Of(c.Page).Selector(given)
		if err != nil {
			return err
		}
		if amend, _ := c.Ctx.Value(amendKey{}).(Amend); amend != nil {
			if own, err = amend(c, name, given, own); err != nil {
				return err
			}
		}
		if c.notes != nil {
			c.notes.note(c, name, given, own)
		}
		if own != given {
			made[own], *sel = given, Selector(own)
		}
		return nil
	})
	return made, err
}
