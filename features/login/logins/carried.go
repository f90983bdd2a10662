package logins

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"pwpipe/internal/text/secrets"
)

// A value of a log-in goes to the origins of that log-in, and a password never in an address.
// [Book.Judge] finds values in what a request sends, in every encoding in which they are masked.

// carried holds the values that requests may carry, by name.
type carried struct {
	mu     sync.Mutex
	values *secrets.Store
	of     map[string]*holding
	codes  map[string]code // of log-ins, by name
}

// holding says who may have a value.
type holding struct {
	value    string
	origins  []string
	userName bool
}

// code is the last code of a log-in.
type code struct {
	text    string
	until   time.Time
	origins []string
}

// codeTime is longer than a site accepts a code.
const codeTime = 3 * time.Minute

// leastUserName is the least length of a user name that is looked for: a shorter one is part of
// many addresses. A longer one counts as a whole only.
const leastUserName = 8

func newCarried() carried {
	return carried{values: secrets.NewStore(nil), of: map[string]*holding{}, codes: map[string]code{}}
}

// add adds a value of a log-in. Log-ins that share a value share their origins for it.
func (c *carried) add(name, value string, l *Login, userName bool) error {
	if userName && utf8.RuneCountInString(value) < leastUserName {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, h := range c.of {
		if h.value == value {
			h.origins = append(slices.Clone(h.origins), l.Origins...)
			h.userName = h.userName && userName
			return nil
		}
	}
	if err := c.values.Add(name, value); err != nil {
		return err
	}
	c.of[name] = &holding{value, l.Origins, userName}
	return nil
}

func (c *carried) addCode(l *Login, text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.codes[l.Name] = code{text, time.Now().Add(codeTime), l.Origins}
}

// Has reports whether a value, by its name, is one of the log-in's.
func (l *Login) Has(name string) bool {
	for _, v := range []Value{l.User, l.Password, l.TOTP} {
		if v != nil && v.secret() == name {
			return true
		}
	}
	return strings.HasPrefix(name, l.Name+".")
}

// Sent is what a request sends.
type Sent struct {
	URL      string
	Fragment string   // is not sent, but a page that is at the URL can read it
	Texts    []string // headers and body
}

// Leak says that a request carries a value where it must not go.
type Leak struct {
	Name   string // of the value
	Origin string // that the request is for
	InURL  bool   // it is a password in an address
	IsUser bool   // it is a user name, which others of the site's often get
}

func (l *Leak) Error() string {
	switch {
	case l.Name == "":
		return "a request for " + cmp.Or(l.Origin, "some origin") + " is too long to look for values of log-ins"
	case l.InURL:
		return fmt.Sprintf("a request for %s carries %s in its address, where no password may be", l.Origin, l.Name)
	}
	return fmt.Sprintf("a request for %s carries %s, and that is not an origin of its log-in", l.Origin, l.Name)
}

// Judge judges what a request sends: a [*Leak], or nil. A nil book has no values.
func (b *Book) Judge(s Sent) error {
	if b == nil {
		return nil
	}
	origin := originOf(s.URL)
	if name := b.carried.inURL(s.URL); name != "" {
		return &Leak{Name: name, Origin: origin, InURL: true}
	}
	for _, text := range append([]string{s.URL, s.Fragment}, s.Texts...) {
		if name := b.carried.abroad(text, origin); name != "" {
			return &Leak{Name: name, Origin: origin, IsUser: b.carried.isUser(name)}
		}
	}
	return nil
}

// Holds returns the name of a value of a log-in that a text holds, whole or in part; "" for none.
func (b *Book) Holds(text string) string {
	if b == nil {
		return ""
	}
	return b.carried.abroad(text, "")
}

// Unread judges a request that is too long to be read: only origins of log-ins may get it.
func (b *Book) Unread(url string) *Leak {
	origin := originOf(url)
	for _, l := range b.logins {
		if slices.Contains(l.Origins, origin) {
			return nil
		}
	}
	return &Leak{Origin: origin}
}

// originOf returns the origin of an absolute URL as browsers write it, or else the URL's scheme.
func originOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		scheme, _, _ := strings.Cut(raw, ":")
		return scheme + ":"
	}
	if origin, err := Origin(u.Scheme + "://" + u.Host); err == nil {
		return origin
	}
	return u.Scheme + "://" + u.Host
}

func (c *carried) isUser(name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	h := c.of[name]
	return h != nil && h.userName
}

// parts returns the parts of values in a text, the longest first: values may resemble each other.
func (c *carried) parts(text string) []secrets.Part {
	list := c.values.Parts(text)
	slices.SortStableFunc(list, func(a, b secrets.Part) int {
		if a.To-a.From == b.To-b.From && a.Entire != b.Entire {
			return map[bool]int{true: -1, false: 1}[a.Entire]
		}
		return (b.To - b.From) - (a.To - a.From)
	})
	return list
}

// inURL returns the name of a password in an address, "" for none.
func (c *carried) inURL(text string) string {
	for _, p := range c.parts(text) {
		c.mu.Lock()
		h := c.of[p.Name]
		c.mu.Unlock()
		if h != nil && !h.userName {
			return p.Name
		}
	}
	return ""
}

// abroad returns the name of a value in a text that its origin must not get, "" for none. Parts that
// are also of a value that the origin may have are that value's: passwords resemble each other.
func (c *carried) abroad(text, origin string) string {
	parts := c.parts(text)
	c.mu.Lock()
	defer c.mu.Unlock()
	var foreign, own []secrets.Part
	for _, p := range parts {
		switch h := c.of[p.Name]; {
		case h == nil || h.userName && !p.Entire:
		case slices.Contains(h.origins, origin):
			own = append(own, p)
		default:
			foreign = append(foreign, p)
		}
	}
	for _, p := range foreign {
		if !slices.ContainsFunc(own, func(o secrets.Part) bool { return o.From <= p.From && p.To <= o.To }) {
			return p.Name
		}
	}
	for login, code := range c.codes {
		if time.Now().Before(code.until) && !slices.Contains(code.origins, origin) && hasWord(text, code.text) {
			return login + ".code"
		}
	}
	return ""
}

// hasWord reports whether a text has a word between characters that are no letters and digits.
func hasWord(text, word string) bool {
	for from := 0; word != ""; {
		at := strings.Index(text[from:], word)
		if at < 0 {
			return false
		}
		at += from
		end := at + len(word)
		if (at == 0 || !isWord(text[at-1]) || escapes(text[:at])) && (end == len(text) || !isWord(text[end])) {
			return true
		}
		from = at + 1
	}
	return false
}

func isWord(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= utf8.RuneSelf
}

// escapes reports whether a text ends in an escaped character of an address, such as %20.
func escapes(text string) bool { return len(text) >= 3 && text[len(text)-3] == '%' }
