package script

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/dop251/goja"
	"github.com/playwright-community/playwright-go"
)

// converting is one argument, or one option, on its way to Go: it is converted
// once, and what came of it is judged and used.
type converting struct {
	r    *Runtime
	self any // whose method is called
	what string
}

// judged makes arguments of each kind, in the words of the table. A value that
// is missing is not asked about, but where something must be named.
var judged map[string]func(c converting, v goja.Value, t reflect.Type) (reflect.Value, error)

// needed are the kinds that judge a missing value too.
var needed = map[string]bool{"navigate": true, "request": true, "read": true, "write": true, "har": true, "files": true, "command": true}

func init() { // converters call each other
	judged = map[string]func(c converting, v goja.Value, t reflect.Type) (reflect.Value, error){
		"plain":    func(c converting, v goja.Value, t reflect.Type) (reflect.Value, error) { return c.r.toGo(v, t) },
		"words":    anything(takesPatterns),
		"match":    anything(takesPatterns | takesPredicates),
		"value":    anything(takesHandles),
		"code":     func(c converting, v goja.Value, t reflect.Type) (reflect.Value, error) { return c.r.toCode(v, t) },
		"func":     func(c converting, v goja.Value, t reflect.Type) (reflect.Value, error) { return c.r.toFunc(v, t) },
		"selector": converting.selector,
		"handle":   converting.handle,
		"navigate": text(func(c converting, url string) (string, error) { return url, c.r.host.Rules.Navigate(url) }),
		"request":  converting.request,
		"read":     text(converting.path),
		"write":    text(converting.path),
		"har":      text(converting.path), // invoke has its content checked
		"name":     text(converting.fileName),
		"files":    converting.files,
		"proxy":    converting.proxy,
		"command":  text(func(_ converting, name string) (string, error) { return name, nil }), // arguments judges it
		"ignored":  func(_ converting, _ goja.Value, t reflect.Type) (reflect.Value, error) { return reflect.Zero(t), nil },
	}
}

// argument makes a Go value of a script's, by what the table says of it.
func (c converting) argument(v goja.Value, t reflect.Type, k kind) (reflect.Value, error) {
	switch {
	case isMissing(v) && !needed[k.word], k.word == "ignored":
		return reflect.Zero(t), nil
	case k.word == "plain":
		return c.r.toGo(v, t)
	case t.Kind() == reflect.Pointer:
		e, err := c.argument(v, t.Elem(), k)
		if err != nil {
			return e, err
		}
		p := reflect.New(t.Elem())
		p.Elem().Set(e)
		return p, nil
	case t.Kind() == reflect.Slice:
		return c.r.list(v, t, func(e goja.Value) (reflect.Value, error) { return c.argument(e, t.Elem(), k) })
	case k.options != nil:
		return c.options(v, t, k)
	}
	return judged[k.word](c, v, t)
}

// options fills a struct of options with those that the table allows.
func (c converting) options(v goja.Value, t reflect.Type, k kind) (reflect.Value, error) {
	return c.r.members(v, t, func(name string, v goja.Value, t reflect.Type) (reflect.Value, error) {
		of, ok := k.options[name]
		if !ok {
			return reflect.Value{}, errNoOption
		}
		return c.argument(v, t, of)
	})
}

// anything is a kind whose Go type is any, and that takes more than plain
// values.
func anything(takes takes) func(converting, goja.Value, reflect.Type) (reflect.Value, error) {
	return func(c converting, v goja.Value, t reflect.Type) (reflect.Value, error) {
		if t != anyType {
			return c.r.toGo(v, t)
		}
		a, err := c.r.toAny(v, takes)
		if a == nil || err != nil {
			return reflect.Zero(t), err
		}
		return reflect.ValueOf(a), nil
	}
}

// text is a kind that is a text, which judge makes what is used of.
func text(judge func(c converting, s string) (string, error)) func(converting, goja.Value, reflect.Type) (reflect.Value, error) {
	return func(c converting, v goja.Value, t reflect.Type) (reflect.Value, error) {
		s := ""
		if !isMissing(v) {
			converted, err := c.r.toText(v, reflect.TypeFor[string]())
			if err != nil {
				return converted, err
			}
			s = converted.String()
		}
		s, err := judge(c, s)
		if err != nil {
			return reflect.Value{}, err
		}
		out := reflect.New(t).Elem()
		if t == anyType {
			out.Set(reflect.ValueOf(s))
		} else {
			out.SetString(s)
		}
		return out, nil
	}
}

func (c converting) selector(v goja.Value, t reflect.Type) (reflect.Value, error) {
	if _, ok := c.r.unwrap(v); ok && t == anyType {
		return c.handle(v, reflect.TypeFor[playwright.Locator]())
	}
	return text(func(c converting, sel string) (string, error) { return c.r.selector(c.self, sel) })(c, v, t)
}

func (c converting) handle(v goja.Value, t reflect.Type) (reflect.Value, error) {
	h, ok := c.r.unwrap(v)
	if !ok || !reflect.TypeOf(h).AssignableTo(t) {
		return mismatch(v, t)
	}
	return reflect.ValueOf(h), nil
}

func (c converting) request(v goja.Value, t reflect.Type) (reflect.Value, error) {
	if h, ok := c.r.unwrap(v); ok && t == anyType {
		req, ok := h.(playwright.Request)
		if !ok {
			return mismatch(v, reflect.TypeFor[playwright.Request]())
		}
		return reflect.ValueOf(h), c.r.host.Rules.Request(req.URL())
	}
	return text(func(c converting, url string) (string, error) { return url, c.r.host.Rules.Request(url) })(c, v, t)
}

func (c converting) path(path string) (string, error) { return c.r.allowed(path) }

// fileName is a part of a file's name, which must not lead out of its folder.
func (c converting) fileName(name string) (string, error) {
	if strings.ContainsAny(name, "/\\\x00") || name == ".." {
		return "", fmt.Errorf("blocked: %s: it is a name, not a path", c.what)
	}
	return name, nil
}

func (c converting) proxy(v goja.Value, t reflect.Type) (reflect.Value, error) {
	if err := c.r.host.Rules.Proxy(); err != nil {
		return reflect.Value{}, err
	}
	return c.r.toGo(v, t)
}

// files are what setInputFiles takes: paths in the allowed folders, or
// contents.
func (c converting) files(v goja.Value, t reflect.Type) (reflect.Value, error) {
	if isMissing(v) {
		return mismatch(goja.Undefined(), t)
	}
	paths, contents := []string{}, []playwright.InputFile{}
	_, err := c.r.list(v, reflect.TypeFor[[]bool](), func(e goja.Value) (reflect.Value, error) {
		if o, ok := e.(*goja.Object); ok && o.ClassName() != "String" {
			data, _ := bytesOf(o.Get("buffer"))
			contents = append(contents, playwright.InputFile{Name: textOf(o.Get("name")), MimeType: textOf(o.Get("mimeType")), Buffer: data})
			return reflect.ValueOf(true), nil
		}
		path, err := c.r.allowed(e.String())
		if err == nil {
			err = c.r.host.Rules.Upload(path)
		}
		paths = append(paths, path)
		return reflect.ValueOf(true), err
	})
	if len(contents) > 0 && err == nil {
		return reflect.ValueOf(contents), nil
	}
	return reflect.ValueOf(paths), err
}

// textOf is a text, "" for a missing one.
func textOf(v goja.Value) string {
	if isMissing(v) {
		return ""
	}
	return v.String()
}
