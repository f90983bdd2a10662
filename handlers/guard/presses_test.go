package guard_test

import (
	"fmt"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// hearing is a document of another origin that notes what it hears of mouse and keys.
const hearing = `<body style="margin:0"><input id="field"><script>const heard = [];
	for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'wheel', 'keydown', 'beforeinput', 'keyup'])
		addEventListener(type, () => heard.push(type), true);
	if (location.search) setInterval(() => field.focus(), 1);
	if (location.search === '?back') addEventListener('keyup', () => parent.focus(), true);</script>`

// heardIn is what the document in a frame has noted, in the words of hearing.
func heardIn(p *pipetest.Pipe, frame string) string {
	p.T.Helper()
	p.Call("frame", []any{frame})
	defer p.Call("frame", nil)
	return p.Text("eval", []any{"heard.join(' ')"})
}

// TestReleasesStayInTheirDocument: a page raises a frame of another origin once the button is down, or the
// mouse is there. Who answers ok has pressed the page's own element; the frame got nothing then.
func TestReleasesStayInTheirDocument(t *testing.T) {
	pipetest.InCI(t, "it is about a wall, and TestSecretsNeverLeave is quick")
	t.Parallel()
	site, _ := twoOrigins(t, hearing, func(_, other string) string { return fmt.Sprintf(lifting, other, "false") })
	p := pipetest.Shared(t)
	type call struct {
		tool   string
		params any
	}
	begin := func(when string) {
		p.Call("nav", []any{site + "/"})
		p.Call("mouse-move", []any{600, 500})
		p.Call("eval", []any{fmt.Sprintf("begins(%q), b.addEventListener('auxclick', () => got++), 1", when)})
	}
	raise := func() { p.Call("eval", []any{"up(), 1"}) }
	for _, when := range []string{"", "pointerdown", "mousedown"} {
		patience := 2000 // milliseconds
		if when == "" {
			patience = 60000
		}
		for _, calls := range [][]call{
			{{"click", []any{"#b"}}},
			{{"rclick", []any{"#b"}}},
			{{"mouse-click", []any{100, 50}}},
			{{"mouse-move", []any{100, 50}}, {"mouse-down", nil}, {"mouse-up", nil}},
			{{"hover", []any{"#b"}}, {"mouse-down", nil}, {"mouse-up", nil}},
			{{"execute", pipetest.Object{"code": fmt.Sprintf("await page.click('#b', {timeout: %d})", patience)}}},
		} {
			begin(when)
			failed := ""
			for _, one := range calls {
				most := 60
				if when != "" && one.tool != "execute" {
					most = 3
				}
				if got := p.Try(one.tool, one.params, "timeout", most); got.Error != "" {
					failed = got.Error
					break
				}
			}
			got, frame := p.Call("eval", []any{"got"}), heardIn(p, "#f1")
			switch last := calls[len(calls)-1].tool; {
			case when == "" && (failed != "" || got == "0" || frame != ""):
				t.Errorf("%s does not arrive: %q; the page has %s, the frame %q", last, failed, got, frame)
			case when != "" && failed == "" && (got == "0" || frame != ""):
				t.Errorf("%s, a frame raised at %s: answered ok, the page has %s, the frame %q", last, when, got, frame)
			}
			p.Try("mouse-up", nil)
		}
	}
	// Where the frame is there before, nothing reaches it.
	for _, c := range []struct {
		calls []call
		last  call
		says  string
	}{
		{[]call{{"hover", []any{"#b"}}}, call{"mouse-down", nil}, "the button was not pressed"},
		{[]call{{"mouse-move", []any{100, 50}}, {"mouse-down", nil}}, call{"mouse-up", nil}, "the button was let go outside"},
		{[]call{{"mouse-move", []any{100, 50}}}, call{"wheel", []any{0, 50}}, "the wheel was not turned"},
	} {
		begin("")
		for _, one := range c.calls {
			p.Call(one.tool, one.params)
		}
		raise()
		pipetest.Has(t, p.Fail(c.last.tool, c.last.params), "the page has put a frame under the mouse", c.says)
		if got := heardIn(p, "#f1"); got != "" {
			t.Errorf("%s: the frame heard %s", c.last.tool, got)
		}
	}
	// Controls of a film keep clicks to themselves.
	p.Call("nav", []any{"data:text/html,<video controls width=300 height=100></video>"})
	p.Call("click", []any{"video"})
	p.Call("dclick", []any{"video"})
}

// TestKeysStayInTheirDocument: a frame of another origin that takes the focus each millisecond, and one that gives it
// back after each key. An act that answers ok has pressed its keys in the element's document. A secret that a
// script types goes there whole, or nowhere.
func TestKeysStayInTheirDocument(t *testing.T) {
	pipetest.InCI(t, "it is about a wall, and TestSecretsNeverLeave is quick")
	t.Parallel()
	site, _ := twoOrigins(t, hearing, func(path, other string) string {
		how := strings.TrimPrefix(path, "/")
		return fmt.Sprintf(`<!doctype html><title>keys</title><input id="f"><button id="b">b</button><iframe id="thief" src="%s/frame?%s"></iframe>`, other, how)
	})
	p := pipetest.Shared(t, "--secrets", secretsFile(t))
	script := func(code string) func() string {
		return func() string { return p.Try("execute", pipetest.Object{"code": code}, "timeout", 60).Error }
	}
	call := func(tool string, params ...any) func() string {
		return func() string { return p.Try(tool, params, "timeout", 60).Error }
	}
	begin := func(how string) {
		p.Call("nav", []any{site + "/" + how})
		pipetest.Eventually(t, "the frame has the focus", func() bool {
			return p.Text("eval", []any{"document.activeElement.id"}) == "thief" || how == "back"
		})
	}
	for _, how := range []string{"keep", "back"} {
		for name, act := range map[string]func() string{
			"type":          call("type", "#f", "plain text"),
			"press":         call("press", "p", "#f"),
			"Enter":         call("press", "Enter", "#b"),
			"a script":      script("await page.locator('#f').pressSequentially('plain text')"),
			"a script: key": script("await page.press('#f', 'Enter')"),
		} {
			begin(how)
			if failed, got := act(), heardIn(p, "#thief"); failed == "" && got != "" {
				t.Errorf("%s, %s: answered ok, and the frame heard %s", how, name, got)
			}
		}
		for name, act := range map[string]func() string{
			"pressSequentially":   script("await page.locator('#f').pressSequentially('{{PASSWORD}}')"),
			"page.type":           script("await page.type('#f', '{{PASSWORD}}')"),
			"keyboard.type":       script("await page.focus('#f'); await page.keyboard.type('{{PASSWORD}}')"),
			"keyboard.insertText": script("await page.focus('#f'); await page.keyboard.insertText('{{PASSWORD}}')"),
		} {
			begin(how)
			failed, got := act(), heardIn(p, "#thief")
			if has := p.Text("eval", []any{"f.value"}); got != "" || failed == "" && has != "<secret:PASSWORD>" {
				t.Errorf("%s, %s: the frame heard %q, the page has %q; answer: %q", how, name, got, has, failed)
			}
		}
	}
	// The key that leads on to what is next may lead into a frame.
	p.Call("nav", []any{site + "/"})
	p.Call("press", []any{"Tab", "#f"})
}
