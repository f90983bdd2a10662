package mcptools

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"pwpipe/handlers/state"
	"pwpipe/provider"
)

type nameParams struct {
	Name string `json:"name" doc:"its name"`
}

type cookiesParams struct {
	Domain string `json:"domain,omitempty" doc:"host, and hosts below it"`
	Path   string `json:"path,omitempty" doc:"path, and paths below it"`
}

// has reports whether a cookie is of the domain and below the path.
func (in cookiesParams) has(k state.Cookie) bool {
	plain := func(domain string) string { return strings.ToLower(strings.TrimPrefix(domain, ".")) }
	of, path := plain(k.Domain), strings.TrimSuffix(in.Path, "/")
	return (in.Domain == "" || of == plain(in.Domain) || strings.HasSuffix(of, "."+plain(in.Domain))) &&
		(path == "" || k.Path == path || strings.HasPrefix(k.Path, path+"/"))
}

func listCookies(c *call, in cookiesParams) error {
	all, err := ask(c, state.Cookies, state.CookiesParams{})
	if err != nil {
		return err
	}
	var lines []string
	for _, k := range all {
		if in.has(k) {
			lines = append(lines, fmt.Sprintf("%s=%s (domain: %s, path: %s)", k.Name, k.Value, k.Domain, k.Path))
		}
	}
	if len(lines) == 0 {
		lines = []string{"No cookies found"}
	}
	c.result(lines...)
	c.ran("await page.context().cookies();")
	return nil
}

func getCookie(c *call, in nameParams) error {
	all, err := ask(c, state.Cookies, state.CookiesParams{})
	if err != nil {
		return err
	}
	c.ran("await page.context().cookies();")
	for _, k := range all {
		if k.Name == in.Name {
			c.result(fmt.Sprintf("%s=%s (domain: %s, path: %s, httpOnly: %v, secure: %v, sameSite: %s)",
				k.Name, k.Value, k.Domain, k.Path, k.HTTPOnly, k.Secure, k.SameSite))
			return nil
		}
	}
	c.result("Cookie '" + in.Name + "' not found")
	return nil
}

type deletedParams struct {
	Name   string `json:"name" doc:"its name"`
	Domain string `json:"domain,omitempty" doc:"only this host's"`
	Path   string `json:"path,omitempty" doc:"only this path's"`
}

func deleteCookie(c *call, in deletedParams) error {
	code := options{{"name", in.Name}}
	for _, o := range (options{{"domain", in.Domain}, {"path", in.Path}}) {
		if o.value != "" {
			code = append(code, o)
		}
	}
	c.ran("await page.context().clearCookies(" + object(code) + ");")
	return do(c, state.ClearCookies, state.ClearCookiesParams{Name: in.Name, Domain: in.Domain, Path: in.Path})
}

func clearCookies(c *call, _ none) error {
	c.ran("await page.context().clearCookies();")
	return do(c, state.ClearCookies, state.ClearCookiesParams{})
}

type cookieParams struct {
	Name     string   `json:"name" doc:"name"`
	Value    string   `json:"value" doc:"value"`
	Domain   string   `json:"domain,omitempty" doc:"host; default: the page's"`
	Path     string   `json:"path,omitempty" doc:"path; default: /"`
	Expires  *float64 `json:"expires,omitempty" doc:"Unix time, seconds"`
	HTTPOnly *bool    `json:"httpOnly,omitempty" doc:"hide it from scripts"`
	Secure   *bool    `json:"secure,omitempty" doc:"HTTPS only"`
	SameSite string   `json:"sameSite,omitempty" enum:"Strict,Lax,None" doc:"when other sites send it"`
}

func setCookie(c *call, in cookieParams) error {
	p, err := c.page()
	if err != nil {
		return err
	}
	domain := in.Domain
	if at, err := url.Parse(p.PW.URL()); err == nil && domain == "" {
		domain = strings.TrimSuffix(at.Host, ":"+at.Port()) // with a domain, the path that is given is used
	}
	_, err = state.SetCookie.Call(c.ctx, provider.Request{}, state.SetCookieParams{Name: in.Name, Value: in.Value,
		Domain: domain, Path: in.Path, Expires: orZero(in.Expires), HTTPOnly: orZero(in.HTTPOnly),
		Secure: orZero(in.Secure), SameSite: in.SameSite})
	if err != nil {
		return err
	}
	shown, err := json.Marshal(in)
	c.ran("await page.context().addCookies([" + string(shown) + "]);")
	return err
}

// orZero is what a pointer points to, and zero of none.
func orZero[T any](p *T) (value T) {
	if p != nil {
		value = *p
	}
	return value
}

type keyOf struct {
	Key string `json:"key" doc:"its key"`
}

type itemParams struct {
	Key   string `json:"key" doc:"its key"`
	Value string `json:"value" doc:"text"`
}

// stored is an item of the page's storage, or all, which the page has as JSON.
func stored[T any](c *call, kind, key string) (value T, err error) {
	raw, err := ask(c, state.Storage, state.StorageParams{Kind: kind, Key: key})
	if err == nil {
		err = json.Unmarshal(raw, &value)
	}
	return value, err
}

// toolsOfStorage returns the tools of localStorage or sessionStorage.
func toolsOfStorage(kind string) []*provider.Tool {
	name, shown := "browser_"+kind+"storage_", kind+"Storage"
	code := func(c *call, method string, args ...any) {
		c.ran("await page." + shown + "." + method + "(" + typescript.args(linkOf(method, args...), "") + ");")
	}
	return []*provider.Tool{
		define("storage", name+"list", "List "+shown, "List "+shown, provider.Reads,
			func(c *call, _ none) error {
				items, err := stored[map[string]string](c, kind, "")
				if err != nil {
					return err
				}
				code(c, "items")
				if len(items) == 0 {
					c.result("No " + shown + " items found")
				}
				for _, key := range slices.Sorted(maps.Keys(items)) {
					c.result(continued(key + "=" + items[key]))
				}
				return nil
			}),
		define("storage", name+"get", "Get "+shown+" item", "Get an item of "+shown, provider.Reads,
			func(c *call, in keyOf) error {
				value, err := stored[*string](c, kind, in.Key)
				if err != nil {
					return err
				}
				code(c, "getItem", in.Key)
				if value == nil {
					c.result(shown + " key '" + in.Key + "' not found")
					return nil
				}
				c.result(continued(in.Key + "=" + *value))
				return nil
			}),
		define("storage", name+"set", "Set "+shown+" item", "Set an item of "+shown, provider.Acts,
			func(c *call, in itemParams) error {
				code(c, "setItem", in.Key, in.Value)
				return do(c, state.SetStorage, state.SetStorageParams{Kind: kind, Key: in.Key, Value: in.Value})
			}),
		define("storage", name+"delete", "Delete "+shown+" item", "Delete an item of "+shown,
			provider.Destroys,
			func(c *call, in keyOf) error {
				code(c, "removeItem", in.Key)
				return do(c, state.ClearStorage, state.StorageParams{Kind: kind, Key: in.Key})
			}),
		define("storage", name+"clear", "Clear "+shown, "Delete all items of "+shown, provider.Destroys,
			func(c *call, _ none) error {
				code(c, "clear")
				return do(c, state.ClearStorage, state.StorageParams{Kind: kind})
			}),
	}
}
