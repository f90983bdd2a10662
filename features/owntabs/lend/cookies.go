package lend

import (
	"encoding/json"
	"net/url"
	"regexp"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// In the person's context an agent has the cookies of the sites where its pages have been,
// and no others: it reads, sets and deletes them. So it is with permissions and with the
// space that a site uses.

// siteOf is the site of a host: the name that was registered.
func siteOf(host string) string {
	host = strings.ToLower(strings.TrimPrefix(host, "."))
	if site, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return site
	}
	return host
}

// visits notes where a page of the agent's is. The lock is held.
func (b *borrower) visits(i info) {
	if u, err := url.Parse(i.URL); err == nil && u.Host != "" {
		b.sites[siteOf(u.Hostname())] = true
	}
}

// cookie is a cookie as Chromium lists it, and takes it.
type cookie struct {
	Name      string          `json:"name"`
	Value     string          `json:"value"`
	Domain    string          `json:"domain"`
	Path      string          `json:"path"`
	Expires   float64         `json:"expires"`
	Secure    bool            `json:"secure"`
	HTTPOnly  bool            `json:"httpOnly"`
	SameSite  string          `json:"sameSite,omitempty"`
	Partition json.RawMessage `json:"partitionKey,omitempty"`
}

// ofSites keeps the cookies of the agent's sites in a list of all.
func (b *borrower) ofSites(result json.RawMessage) json.RawMessage {
	var got struct {
		Cookies []json.RawMessage `json:"cookies"`
	}
	list := []json.RawMessage{}
	if json.Unmarshal(result, &got) == nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, raw := range got.Cookies {
			var one cookie
			if json.Unmarshal(raw, &one) == nil && b.sites[siteOf(one.Domain)] {
				list = append(list, raw)
			}
		}
	}
	return encoded(map[string]any{"cookies": list})
}

// getCookies lists cookies: in the person's context only cookies of the agent's sites.
func getCookies(c *command, p *contextParams) error {
	if err := c.place(&p.Context); err != nil || p.Context != "" {
		return err
	}
	return pageCookies(c)
}

// pageCookies lists the cookies that a page's requests have.
func pageCookies(c *command) error {
	if !c.own {
		c.then = c.b.ofSites
	}
	return nil
}

// named are the addresses and hosts that a command may name. Chromium reads others, such as
// "http:a/.b" and "http:\\a", in ways of its own.
var named = regexp.MustCompile(`^(?:(?i:https?)://(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9_.-]+))` +
	`(?::[0-9]*)?(?:[/?#].*)?|\.?([A-Za-z0-9_.-]+))$`)

// mayName judges the sites of addresses and hosts that a command for the person's context
// names, "" for none.
func (b *borrower) mayName(addresses ...string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, at := range addresses {
		m := named.FindStringSubmatch(at)
		if at != "" && (m == nil || !b.sites[siteOf(m[1]+m[2]+m[3])]) {
			return refused("refused: none of the agent's pages has been at the site of %.200q; open it first", at)
		}
	}
	return nil
}

// newCookie is a cookie as an agent sets it.
type newCookie struct {
	cookieName
	Value        string   `json:"value"`
	Secure       *bool    `json:"secure,omitempty"`
	HTTPOnly     *bool    `json:"httpOnly,omitempty"`
	SameSite     string   `json:"sameSite,omitempty"`
	Expires      *float64 `json:"expires,omitempty"`
	Priority     string   `json:"priority,omitempty"`
	SourceScheme string   `json:"sourceScheme,omitempty"`
	SourcePort   *int     `json:"sourcePort,omitempty"`
}

// cookieName says which cookie is meant.
type cookieName struct {
	Name      string          `json:"name"`
	URL       string          `json:"url,omitempty"`
	Domain    string          `json:"domain,omitempty"`
	Path      string          `json:"path,omitempty"`
	Partition json.RawMessage `json:"partitionKey,omitempty"`
}

// mayChange judges a cookie that is set or deleted.
func (c *command) mayChange(k cookieName) error {
	if c.own {
		return nil
	}
	if k.URL == "" && k.Domain == "" {
		return refused("name the cookie's url or its domain")
	}
	return c.b.mayName(k.URL, k.Domain)
}

func setCookies(c *command, p *struct {
	contextParams
	Cookies []newCookie `json:"cookies"`
}) error {
	if err := c.place(&p.Context); err != nil || p.Context != "" {
		return err
	}
	for _, k := range p.Cookies {
		if err := c.mayChange(k.cookieName); err != nil {
			return err
		}
	}
	return nil
}

func setCookie(c *command, p *newCookie) error { return c.mayChange(p.cookieName) }

func deleteCookies(c *command, p *cookieName) error { return c.mayChange(*p) }

// usage is the rule of what tells whether a site keeps anything.
func usage(c *command, p *struct {
	Origin string `json:"origin"`
}) error {
	if c.own {
		return nil
	}
	return c.b.mayName(p.Origin)
}

// clearCookies deletes cookies: in the person's context only cookies of the agent's sites.
// Chromium would delete all.
func clearCookies(c *command, p *contextParams) error {
	if err := c.place(&p.Context); err != nil || p.Context != "" || c.own {
		return err
	}
	s := c.session
	c.do = func(answer reply) {
		s.Send("Storage.getCookies", nil, func(result json.RawMessage, err error) {
			if err != nil {
				answer(nil, err)
				return
			}
			var got struct {
				Cookies []cookie `json:"cookies"`
			}
			err = json.Unmarshal(s.b.ofSites(result), &got)
			if err != nil || len(got.Cookies) == 0 {
				answer(empty, err)
				return
			}
			for i := range got.Cookies {
				got.Cookies[i].Expires = 1 // long ago
			}
			s.Send("Storage.setCookies", map[string]any{"cookies": got.Cookies}, func(_ json.RawMessage, err error) {
				answer(empty, err)
			})
		})
	}
	return nil
}
