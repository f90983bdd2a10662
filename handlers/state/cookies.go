// Package state reads, sets, saves and loads what sites store: cookies, storage,
// permissions.
package state

import (
	"cmp"
	"net/url"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// Tools that Go code calls too.
var (
	Cookies = tool.TypedOnPage(tool.State.Reads("cookies", "Cookies",
		"List the cookies of the page's context"), cookies)
	SetCookie = tool.TypedOnPageDo(tool.State.Acts("set-cookie", "Set cookie",
		"Set a cookie, by default for the page's own address"), setCookie)
	ClearCookies = tool.TypedOnPageDo(tool.State.Destroys("clear-cookies", "Clear cookies",
		"Delete the cookies of the page's context, or some of them"), clearCookies)
	Storage = tool.TypedOnPage(tool.State.Reads("storage", "Storage",
		"Get the page's local or session storage, or one item of it (null if it has none)"), getStorage)
	SetStorage = tool.TypedOnPageDo(tool.State.Acts("set-storage", "Set storage",
		"Set an item of the page's local or session storage"), setStorage)
	ClearStorage = tool.TypedOnPageDo(tool.State.Destroys("clear-storage", "Clear storage",
		"Remove an item of the page's local or session storage, or all"), clearStorage)
	Save = tool.TypedOnPage(tool.State.Acts("save-state", "Save state",
		"Write the context's cookies and local storage to a file, readable by its owner only; its path").
		Within(10*time.Second).OwnAnswers(), saveState)
	Load = tool.TypedOnPageDo(tool.State.Acts("load-state", "Load state",
		"Put the cookies and local storage of a saved state into the page's context").Within(30*time.Second),
		loadStateFile)
)

// Tools are those of profile state, but for login. No tool reads what state-save has saved:
// who starts pwpipe does.
func Tools() []*provider.Tool {
	return []*provider.Tool{Cookies.Tool, SetCookie.Tool, ClearCookies.Tool, Storage.Tool, SetStorage.Tool,
		ClearStorage.Tool, Save.Tool, Load.Tool}
}

// SavedTools keep states under names.
func SavedTools() []*provider.Tool {
	return []*provider.Tool{
		tool.OnPage(tool.State.Acts("state-save", "Save state under a name",
			"Keep the cookies and storage of the page's context under a name, for sessions that begin with --state NAME").
			Within(saveTime), saveNamed),
	}
}

// PermissionTools say what the sites of a context may do, and where it is.
func PermissionTools() []*provider.Tool {
	return []*provider.Tool{
		tool.OnPageDo(tool.State.Acts("permit", "Grant permissions",
			"Grant permissions to the sites of the page's context; [] takes all back"), permit),
		tool.OnPageDo(tool.State.Acts("geolocation", "Geolocation",
			"Set where the pages of the context are; without coordinates the place is unknown again"), geolocation),
	}
}

// Cookie is a cookie, as [Cookies] answers it.
type Cookie struct {
	Name     string  `json:"name" doc:"name"`
	Value    string  `json:"value" doc:"value"`
	Domain   string  `json:"domain" doc:"host it is sent to"`
	Path     string  `json:"path" doc:"path it is sent to"`
	Expires  float64 `json:"expires" doc:"Unix time in seconds, -1 for the end of the session"`
	HTTPOnly bool    `json:"httpOnly" doc:"whether scripts can't see it"`
	Secure   bool    `json:"secure" doc:"whether it goes over HTTPS only"`
	SameSite string  `json:"sameSite,omitempty" own:"word" doc:"Strict, Lax or None"`
}

// CookiesParams are the parameters of [Cookies].
type CookiesParams struct {
	URL string `json:"url,omitempty" doc:"only those that this address would be sent"`
}

// cookies is context.cookies.
func cookies(c *tool.Call, in CookiesParams) ([]Cookie, error) {
	var urls []string
	if in.URL != "" {
		urls = append(urls, in.URL)
	}
	got, err := c.Context.Cookies(urls...)
	list := []Cookie{}
	for _, k := range got {
		o := Cookie{Name: k.Name, Value: k.Value, Domain: k.Domain, Path: k.Path, Expires: k.Expires, HTTPOnly: k.HttpOnly, Secure: k.Secure}
		if k.SameSite != nil {
			o.SameSite = string(*k.SameSite)
		}
		list = append(list, o)
	}
	return list, c.Fail(err, "")
}

// SetCookieParams are the parameters of [SetCookie].
type SetCookieParams struct {
	Name     string  `json:"name" secrets:"no" doc:"name"`
	Value    string  `json:"value" doc:"value"`
	URL      string  `json:"url,omitempty" doc:"address it is for; default: the page's"`
	Domain   string  `json:"domain,omitempty" doc:"host it is for, instead of url; with a dot in front for those below it too"`
	Path     string  `json:"path,omitempty" secrets:"no" doc:"path it is for, with domain" default:"/"`
	Expires  float64 `json:"expires,omitempty" doc:"Unix time in seconds; default: the end of the session"`
	HTTPOnly bool    `json:"httpOnly,omitempty" doc:"hide it from scripts"`
	Secure   bool    `json:"secure,omitempty" doc:"HTTPS only"`
	SameSite string  `json:"sameSite,omitempty" doc:"when other sites' pages send it" enum:"Strict,Lax,None"`
}

// setCookie is context.addCookies with one cookie.
func setCookie(c *tool.Call, in SetCookieParams) error {
	k := playwright.OptionalCookie{Name: in.Name, Value: in.Value, HttpOnly: &in.HTTPOnly, Secure: &in.Secure,
		SameSite: tool.Pick[playwright.SameSiteAttribute](in.SameSite), Expires: tool.Optional(in.Expires)}
	switch {
	case in.URL != "" && in.Domain != "":
		return provider.Errorf(provider.KindArgs, "give one of url and domain")
	case in.Domain != "":
		k.Domain, k.Path = &in.Domain, &in.Path
	default:
		if in.URL == "" {
			in.URL = c.PW.URL()
		}
		if in.URL == "about:blank" {
			return provider.Errorf(provider.KindArgs, "the page has no address yet; give url or domain")
		}
		k.URL = &in.URL
		// With such an address the driver makes it a cookie that is not secure.
		if u, err := url.Parse(in.URL); err == nil && in.Secure && u.Scheme == "http" {
			host, path := strings.TrimSuffix(u.Host, ":"+u.Port()), u.Path[:strings.LastIndex(u.Path, "/")+1]
			path = cmp.Or(path, "/")
			k.URL, k.Domain, k.Path = nil, &host, &path
		}
	}
	return c.Fail(c.Context.AddCookies([]playwright.OptionalCookie{k}), "")
}

// ClearCookiesParams are the parameters of [ClearCookies].
type ClearCookiesParams struct {
	Name   string `json:"name,omitempty" secrets:"no" doc:"only those of this name"`
	Domain string `json:"domain,omitempty" doc:"only those of this host"`
	Path   string `json:"path,omitempty" secrets:"no" doc:"only those of this path"`
}

// clearCookies is context.clearCookies.
func clearCookies(c *tool.Call, in ClearCookiesParams) error {
	given := func(text string) any {
		if text == "" {
			return nil
		}
		return text
	}
	return c.Fail(c.Context.ClearCookies(playwright.BrowserContextClearCookiesOptions{
		Name: given(in.Name), Domain: given(in.Domain), Path: given(in.Path)}), "")
}
