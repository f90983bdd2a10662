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

// checks are what is looked at among parameters, which its methods take as a pointer.
// They are found once, where a tool is declared.
type checks struct {
	selectors, urls, reads, writes provider.Fields
	optional                       map[string]bool // those that may be left out
}

func checksOf(in reflect.Type) checks {
	of := func(text reflect.Type) provider.Fields { return provider.FieldsOf(in, text) }
	k := checks{of(reflect.TypeFor[Selector]()), of(reflect.TypeFor[URL]()), of(reflect.TypeFor[ReadPath]()),
		of(reflect.TypeFor[WritePath]()), map[string]bool{}}
	for _, f := range reflect.VisibleFields(in) {
		if name, rest, _ := strings.Cut(f.Tag.Get("json"), ","); !f.Anonymous && f.IsExported() {
			k.optional[name] = rest == "omitempty"
		}
	}
	return k
}

func (k checks) paths(in any) error {
	return cmp.Or(k.judged(k.reads, in, files.MayTouch), k.judged(k.writes, in, files.CheckTarget))
}

// judged is the error of the first path of a kind that may not be.
func (k checks) judged(paths provider.Fields, in any, may func(string) error) error {
	return paths.Each(in, func(name string, path reflect.Value) error {
		if path.String() == "" && k.optional[name] {
			return nil
		}
		return may(path.String())
	})
}

// given are the texts of a kind that are not empty.
func given(fields provider.Fields, in any) (list []string) {
	_ = fields.Each(in, func(_ string, text reflect.Value) error {
		if text.String() != "" {
			list = append(list, text.String())
		}
		return nil
	})
	return list
}

// destination is where the page is to go, "" for nowhere.
func (k checks) destination(in any) string { return cmp.Or(given(k.urls, in)...) }

// shownTarget is how many characters of a target people see.
const shownTarget = 200

// target is what a call acts on, as its client worded it: its selectors, or where the
// page is to go.
func (k checks) target(in any) string {
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
func (k checks) refs(c *Call, in any) (refs.Rewritten, error) {
	made := refs.Rewritten{}
	err := k.selectors.Each(in, func(name string, sel reflect.Value) error {
		given := sel.String()
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
			made[own] = given
			sel.SetString(own)
		}
		return nil
	})
	return made, err
}
