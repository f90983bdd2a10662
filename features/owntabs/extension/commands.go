package extension

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"pwpipe/features/owntabs/tabwall"
	"pwpipe/internal/browser/cdp"
	"pwpipe/internal/script/strictjson"
)

// Codes of errors, as Chromium has them.
const (
	codeFailed    = -32000
	codeNoSession = -32001
	codeRefused   = -32601
)

// command is a command of the connection.
type command struct {
	ID      int64      `json:"id"`
	Method  string     `json:"method"`
	Params  jsonObject `json:"params"`
	Session string     `json:"sessionId"`
}

// Write takes a command, which ends in NUL.
func (b *browser) Write(m []byte) (int, error) {
	var c command
	if err := strictjson.Decode(bytes.TrimSuffix(m, []byte{0}), &c); err != nil {
		return len(m), nil // whoever sent it waits in vain, as with Chromium
	}
	b.mu.Lock()
	if b.sessions == nil {
		b.mu.Unlock()
		return 0, cdp.ErrGone
	}
	s := b.sessions[c.Session]
	b.mu.Unlock()
	switch {
	case s == nil:
		b.answer(c, nil, &cdp.Error{Code: codeNoSession, Message: "Session with given id not found."})
	case s.tab != nil:
		b.ofTab(c, s)
	default:
		b.ofBrowser(c, s)
	}
	return len(m), nil
}

// answer answers a command.
func (b *browser) answer(c command, result any, err *cdp.Error) {
	switch {
	case err != nil:
		result = nil
	case result == nil:
		result = object{}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.say(message{ID: c.ID, Result: result, Error: err, Session: c.Session})
}

// pass has the extension do something, and answers with what it answers.
func (b *browser) pass(c command, m outgoing) {
	b.tell(m, func(result jsonObject, err *cdp.Error) { b.answer(c, result, err) })
}

// browserRules are the commands that sessions with the browser may send. They are answered
// here, with the lent tabs in mind; the browser itself hears of none.
var browserRules = map[string]func(*browser, params, *session) (any, error){
	"Browser.getVersion":           version,
	"Browser.setDownloadBehavior":  nothing, // downloads are the person's
	"Target.activateTarget":        nothing, // the focus is the person's
	"Target.attachToBrowserTarget": attachToBrowser,
	"Target.attachToTarget":        attachToTarget,
	"Target.detachFromTarget":      detach,
	"Target.getBrowserContexts":    getBrowserContexts,
	"Target.getTargetInfo":         getTargetInfo,
	"Target.getTargets":            getTargets,
	"Target.setAutoAttach":         autoAttach,
	"Target.setDiscoverTargets":    discover,
}

// ofBrowser carries out a command of a session with the browser.
func (b *browser) ofBrowser(c command, s *session) {
	switch c.Method {
	case "Target.createTarget":
		createTarget(b, c)
	case "Target.closeTarget":
		closeTarget(b, c)
	case "Storage.getCookies":
		getCookies(b, c)
	default:
		rule := browserRules[c.Method]
		if rule == nil {
			b.answer(c, nil, refused(c.Method, "the extension lends single tabs, and nothing of the whole browser"))
			return
		}
		p, err := c.read()
		var result any
		if err == nil {
			b.mu.Lock()
			result, err = rule(b, p, s)
			b.mu.Unlock()
		}
		if err != nil {
			b.answer(c, nil, &cdp.Error{Code: codeFailed, Message: err.Error()})
			return
		}
		b.answer(c, result, nil)
	}
}

func refused(method, why string) *cdp.Error {
	return &cdp.Error{Code: codeRefused, Message: fmt.Sprintf("'%.80s' is refused: %s", method, why)}
}

// Rules are called with the lock held.

var reVersion = regexp.MustCompile(`Chrome/[\d.]+`)

func version(b *browser, _ params, _ *session) (any, error) {
	return object{"protocolVersion": "1.3", "product": cmp.Or(reVersion.FindString(b.agent), "Chrome/0"),
		"revision": "", "userAgent": b.agent, "jsVersion": ""}, nil
}

func nothing(*browser, params, *session) (any, error) { return nil, nil }

func attachToBrowser(b *browser, _ params, s *session) (any, error) {
	own := &session{id: rand.Text(), parent: s}
	b.sessions[own.id] = own
	return object{"sessionId": own.id}, nil
}

// params has what matters here of a command's params.
type params struct {
	Target    string `json:"targetId"`
	Session   string `json:"sessionId"`
	Attaches  bool   `json:"autoAttach"`
	Discovers bool   `json:"discover"`
}

// read reads a command's params.
func (c command) read() (p params, err error) {
	if len(c.Params) > 0 {
		err = json.Unmarshal(c.Params, &p)
	}
	return p, err
}

// errNoTarget is Chromium's own.
func errNoTarget() error { return &cdp.Error{Message: "No target with given id found"} }

func attachToTarget(b *browser, p params, s *session) (any, error) {
	t := b.tabOf(p.Target)
	if t == nil {
		return nil, errNoTarget()
	}
	return object{"sessionId": b.attach(s, t).id}, nil
}

func detach(b *browser, p params, s *session) (any, error) {
	below := b.sessions[p.Session]
	if below == nil || below.parent != s {
		return nil, &cdp.Error{Message: "No session with given id"}
	}
	b.drop(below)
	return nil, nil
}

func getTargetInfo(b *browser, p params, _ *session) (any, error) {
	if p.Target == "" {
		return object{"targetInfo": targetInfo{ID: "browser", Type: "browser", Attached: true}}, nil
	}
	t := b.tabOf(p.Target)
	if t == nil {
		return nil, errNoTarget()
	}
	return object{"targetInfo": t.info}, nil
}

func getTargets(b *browser, _ params, _ *session) (any, error) {
	list := []targetInfo{}
	for _, t := range b.tabs {
		list = append(list, t.info)
	}
	return object{"targetInfos": list}, nil
}

func getBrowserContexts(b *browser, _ params, _ *session) (any, error) {
	return object{"browserContextIds": []string{}, "defaultBrowserContextId": b.home}, nil
}

func autoAttach(b *browser, p params, s *session) (any, error) {
	if p.Attaches && !s.attaches {
		for _, t := range b.tabs {
			b.attach(s, t)
		}
	}
	s.attaches = p.Attaches
	return nil, nil
}

func discover(b *browser, p params, s *session) (any, error) {
	if p.Discovers && !s.discovers {
		for _, t := range b.tabs {
			b.say(message{Method: "Target.targetCreated", Params: object{"targetInfo": t.info}, Session: s.id})
		}
	}
	s.discovers = p.Discovers
	return nil, nil
}

// createTarget opens a tab, which is closed at the end.
func createTarget(b *browser, c command) {
	b.tell(outgoing{Type: "open"}, func(result jsonObject, err *cdp.Error) {
		var got struct {
			Tab int `json:"tab"`
		}
		if err == nil && strictjson.Decode(result, &got) != nil {
			err = &cdp.Error{Code: codeFailed, Message: "the extension answered nonsense"}
		}
		b.mu.Lock()
		at := slices.IndexFunc(b.tabs, func(t *tab) bool { return t.id == got.Tab })
		var answer any
		switch {
		case err != nil:
		case at < 0:
			err = &cdp.Error{Code: codeFailed, Message: "the tab was closed at once"}
		default:
			answer = object{"targetId": b.tabs[at].info.ID}
		}
		b.mu.Unlock()
		b.answer(c, answer, err)
	})
}

// closeTarget closes a tab that pwpipe opened, and gives a lent one back.
func closeTarget(b *browser, c command) {
	p, err := c.read()
	b.mu.Lock()
	t := b.tabOf(p.Target)
	b.mu.Unlock()
	if err != nil || t == nil {
		b.answer(c, nil, &cdp.Error{Code: codeFailed, Message: errNoTarget().Error()})
		return
	}
	b.pass(c, outgoing{Type: "return", Tab: t.id})
}

// getCookies answers the cookies of the pages in the lent tabs, and no others.
func getCookies(b *browser, c command) {
	b.mu.Lock()
	tabs := slices.Clone(b.tabs)
	b.mu.Unlock()
	type key struct{ Name, Domain, Path string }
	var taking sync.Mutex
	found, list, left := map[key]bool{}, []jsonObject{}, len(tabs)+1
	done := func(result jsonObject, _ *cdp.Error) {
		taking.Lock()
		defer taking.Unlock()
		var got struct {
			Cookies []jsonObject `json:"cookies"`
		}
		_ = json.Unmarshal(result, &got)
		for _, cookie := range got.Cookies {
			var k key
			if json.Unmarshal(cookie, &k) == nil && !found[k] {
				found[k], list = true, append(list, cookie)
			}
		}
		if left--; left == 0 {
			b.answer(c, object{"cookies": list}, nil)
		}
	}
	for _, t := range tabs {
		b.tell(outgoing{Type: "send", Tab: t.id, Method: "Network.getCookies", Params: jsonObject("{}")}, done)
	}
	done(nil, nil) // all are asked
}

// tabCommands pass beside the commands of tabwall, the wall that all lent tabs have. Chrome
// takes a tab from the debugger that goes to a file or to a page of its own.
var tabCommands = strings.Fields(`Network.getCookies Page.addScriptToEvaluateOnNewDocument Page.getFrameTree
	Page.getNavigationHistory Page.navigate Page.navigateToHistoryEntry Page.reload
	Page.removeScriptToEvaluateOnNewDocument Target.detachFromTarget Target.getTargetInfo Target.setAutoAttach`)

// judge judges a command of a tab by the wall that all lent tabs have.
func judge(c command) (v tabwall.Verdict, err *cdp.Error) {
	if slices.Contains(tabCommands, c.Method) {
		return v, nil
	}
	rule := tabwall.Of(c.Method, false)
	if rule == nil {
		return v, refused(c.Method, "it would reach beyond the lent tab")
	}
	v, why := rule(json.RawMessage(c.Params))
	if why != nil && !errors.As(why, &err) {
		err = &cdp.Error{Code: codeFailed, Message: why.Error()}
	}
	return v, err
}

// ofTab passes a command of a session with a tab, or with a part of it, to the debugger.
func (b *browser) ofTab(c command, s *session) {
	_, verb, _ := strings.Cut(c.Method, ".")
	b.mu.Lock()
	shares := !s.part && s.tab.main != s // and so must not end what another session needs
	info, worlds := s.tab.info, slices.Clone(s.tab.worlds)
	b.mu.Unlock()
	m := outgoing{Type: "send", Tab: s.tab.id, Method: c.Method, Params: c.Params}
	if s.part {
		m.Session = s.id
	}
	if c.Method == "Network.getCookies" {
		m.Params = jsonObject("{}") // of the page, and of no address that the command names
	}
	switch {
	case c.Method == "Target.getTargetInfo" && !s.part:
		b.answer(c, object{"targetInfo": info}, nil)
	case c.Method == "Page.bringToFront", shares && (verb == "disable" || c.Method == "Target.setAutoAttach"):
		b.answer(c, nil, nil)
	case shares && c.Method == "Runtime.enable" && worlds != nil:
		b.mu.Lock()
		for _, w := range worlds {
			b.say(message{Method: "Runtime.executionContextCreated", Params: w.params, Session: s.id})
		}
		b.mu.Unlock()
		b.answer(c, nil, nil)
	default:
		v, err := judge(c)
		if err != nil || v.Done {
			b.answer(c, nil, err)
			return
		}
		if v.Params != nil {
			if text, failed := cdp.Encode(v.Params); failed == nil {
				m.Params = jsonObject(text)
			}
		}
		b.pass(c, m)
	}
}
