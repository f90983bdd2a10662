// Package login logs a session in at a site, with values that no client sees: `login`.
package login

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"time"

	"pwpipe/features/clipboard"
	"pwpipe/features/login/logins"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/files"
	"pwpipe/handlers/tool"
	"pwpipe/internal/text/secrets"
	"pwpipe/provider"
)

// Tools lists the tool login.
func Tools() []*provider.Tool {
	return []*provider.Tool{
		tool.OnPage(tool.State.Acts("login", "Log in",
			"Log in to a site with an account that pwpipe knows, password and code included, and wait until logged in").
			Within(deadline), login),
	}
}

// deadline gives a person as long as ask-person does.
const deadline = 10 * time.Minute

type loginParams struct {
	Name string `json:"name" secrets:"no" doc:"of the log-in"`
}

// account says who is logged in.
type account struct {
	Login   string   `json:"login" own:"yes" doc:"its name"`
	Account string   `json:"account,omitempty" doc:"who is logged in, where that is known"`
	URL     string   `json:"url" doc:"of the page now"`
	Gave    []string `json:"gave" own:"yes" doc:"what was typed: user, password, code; a person's part; nothing for an account that was in already"`
}

// Known are the log-ins that the tool login knows, nil for none.
var Known browser.Setting[*logins.Book]

// unjudged are features of Chromium by which the browser itself sends what a page says, and does not
// ask about it: FedCM fetches its configuration from an address of the page's.
var unjudged = []string{"FedCm"}

// Give gives a browser log-ins, nil for none. No clipboard of its sessions keeps a value of theirs,
// and no page gets one by a file.
func Give(c *browser.Config, book *logins.Book) {
	if book == nil {
		return
	}
	Known.Set(c, book)
	clipboard.Keeps.Set(c, func(text string) string {
		if name := book.Holds(text); name != "" {
			return secrets.MaskOf(name)
		}
		return text
	})
	files.KeepFromPages(book.HeldByFile)
	c.Without = append(c.Without, unjudged...)
}

// login goes to the form of a log-in, unless the page has it, and fills it in.
func login(c *tool.Call, in loginParams) (*account, error) {
	book := Known.Of(c.Session.Browser.Config)
	l, err := book.Find(in.Name)
	if err != nil {
		return nil, provider.Errorf(provider.KindArgs, "%w", err)
	}
	f := &flow{Call: c, book: book, login: l, gave: []string{}}
	if err := f.walled(); err != nil {
		return nil, err
	}
	if err := f.goTo(); err != nil {
		return nil, err
	}
	if len(l.Steps) > 0 {
		err = f.steps()
	} else {
		err = f.run()
	}
	if err != nil || len(l.Steps) == 0 || l.Done != "" { // else the site may not have read the fields yet
		f.clear()
	}
	if err != nil {
		return nil, err
	}
	return &account{l.Name, f.who(), f.PW.URL(), f.gave}, nil
}

// flow runs one log-in.
type flow struct {
	*tool.Call
	book  *logins.Book
	login *logins.Login
	user  string   // who logs in, "" while that is not known or a secret
	gave  []string // what was typed and sent
	wall  *wall
	leaks int // that the wall had failed before
}

// errChanged says that the page has changed since it was looked at.
var errChanged = errors.New("the page has changed meanwhile")

func (f *flow) failed(format string, args ...any) *provider.Error {
	return provider.Errorf(provider.KindFailed, "%s: "+format, append([]any{f.login.Name}, args...)...)
}

// part calls another tool on the page.
func (f *flow) part(name string, params map[string]any, timeout time.Duration) (json.RawMessage, error) {
	raw, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	r, err := provider.Call(f.Ctx, provider.Request{Tool: name, Params: raw, Page: f.Name, Timeout: timeout})
	return r.JSON, err
}

// goTo goes to the page of the form, unless the page shows one that is the log-in's. If the log-in
// gives a page, the form must be there: another form of the same origin may be a stranger's.
func (f *flow) goTo() error {
	elsewhere := f.login.AtPage && f.PW.URL() != f.login.Page
	if s, ok := f.look(); !elsewhere && ok && s.Ours && (s.User || s.Password || s.Code) && len(f.login.Steps) == 0 {
		return nil
	}
	_, err := f.part("nav", map[string]any{"url": f.login.Page}, 30*time.Second)
	return err
}

// who returns the account's name: as the page shows it, or else the user name.
func (f *flow) who() string {
	if f.login.Account != "" {
		raw, err := f.part("txt", map[string]any{"sel": f.login.Account}, 5*time.Second)
		var text string
		if err == nil && json.Unmarshal(raw, &text) == nil && text != "" {
			return text
		}
	}
	return f.user
}

// isDone reports whether the page shows the element that is visible only after the log-in.
func (f *flow) isDone() bool {
	u, err := url.Parse(f.PW.URL())
	if err != nil || !slices.Contains(f.login.Origins, u.Scheme+"://"+u.Host) {
		return false
	}
	raw, err := f.part("vis", map[string]any{"sel": f.login.Done}, 2*time.Second)
	return err == nil && string(raw) == "true"
}

// value reads the value for a kind of field.
func (f *flow) value(kind string) (text string, err error) {
	hidden := false
	switch kind {
	case "user":
		text, hidden, err = f.book.UserName(f.Ctx, f.login)
		if err == nil && !hidden {
			f.user = text
		}
	case "password":
		text, err = f.book.Password(f.Ctx, f.login)
	case "code":
		text, err = f.book.Code(f.Ctx, f.login)
	}
	if err != nil && f.Ctx.Err() == nil {
		return "", f.failed("%w", err)
	}
	return text, err
}

// person asks a person to do what pwpipe can't, and waits until they hand the session back.
func (f *flow) person(what string) error {
	message := fmt.Sprintf("log in as %s at %s: %s", f.login.Name, f.login.Origins[0], what)
	if _, err := f.part("ask-person", map[string]any{"message": message}, 0); err != nil {
		return f.failed("the site asks for %s: %w", what, err).WithHint("%s", provider.AsError(err).Hint)
	}
	f.gave = append(f.gave, "a person: "+what)
	return nil
}
