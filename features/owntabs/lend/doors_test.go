package lend

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"pwpipe/internal/browser/cdp"
	"pwpipe/internal/pipetest"
)

// writes has the person copy a text in a tab.
func (p *person) writes(tab *cdp.Session, text string) {
	p.t.Helper()
	p.presses(tab, map[string]any{"type": "rawKeyDown", "commands": []string{"copy"}},
		fmt.Sprintf("const t = document.createElement('textarea'); document.body.prepend(t); t.value = %q; t.select(); 1", text))
}

// pasted is what the person pastes in a tab.
func (p *person) pasted(tab *cdp.Session) string {
	p.t.Helper()
	p.presses(tab, map[string]any{"type": "rawKeyDown", "commands": []string{"paste"}},
		"document.body.prepend(globalThis.into = document.createElement('textarea')); into.focus(); 1")
	return p.sees(tab, "into.value")
}

func (p *person) presses(tab *cdp.Session, key map[string]any, first string) {
	p.t.Helper()
	if err := tab.Call(p.t.Context(), "Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true}, nil); err != nil {
		p.t.Fatal(err)
	}
	p.sees(tab, "{"+first+"}")
	if err := tab.Call(p.t.Context(), "Input.dispatchKeyEvent", key, nil); err != nil {
		p.t.Fatal(err)
	}
}

// TestClipboardIsThePersons: no key of an agent pastes, copies or cuts, and no permission of its
// opens the clipboard, in no context. A page sees the key all the same.
func TestClipboardIsThePersons(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	theirs := p.tab(p.site + "/form?theirs")
	hands := p.hands(theirs)
	p.waitsFor(hands, "theirs")
	p.writes(hands, "SECRET")
	a := newAgent(t, p.lender())
	var made struct{ BrowserContextID, TargetID string }
	a.works("", "Target.createBrowserContext", `{}`, &made)
	a.works("", "Target.createTarget", fmt.Sprintf(`{"url":%q,"browserContextId":%q}`, p.site+"/form?own", made.BrowserContextID), &made)
	_, opened := a.open(p.site + "/form?opened")
	for _, page := range []string{opened, a.attach(made.TargetID)} {
		pipetest.Eventually(t, "the page is there", func() bool { return strings.Contains(a.does(page, "document.readyState"), "complete") })
		a.works(page, "Emulation.setFocusEmulationEnabled", `{"enabled":true}`, nil)
		a.does(page, "document.body.innerHTML = '<textarea></textarea>'; globalThis.field = document.querySelector('textarea'); globalThis.got = ''; "+
			"addEventListener('keydown', (e) => { got += e.ctrlKey ? e.key : '' }); for (const kind of ['paste', 'copy', 'cut']) addEventListener(kind, () => { got += kind }); 1")
		for _, key := range []string{`"commands":["paste"]`, `"commands":["Paste"]`, `"commands":["pasteAndMatchStyle","selectAll"]`,
			`"commands":["yank"]`, `"commands":["copy"]`, `"commands":["cut:"]`, `"Commands":["paste"]`, `"commands":[],"commands":["paste"]`,
			`"key":"v","windowsVirtualKeyCode":86,"modifiers":2`, `"windowsVirtualKeyCode":86,"modifiers":10`,
			`"windowsVirtualKeyCode":86,"modifiers":4`, `"windowsVirtualKeyCode":86,"modifiers":258`, `"windowsVirtualKeyCode":65,"WindowsVirtualKeyCode":86,"modifiers":2`,
			`"key":"Insert","windowsVirtualKeyCode":45,"modifiers":8`, `"windowsVirtualKeyCode":45,"modifiers":2`, `"windowsVirtualKeyCode":46,"modifiers":8`,
			`"key":"Paste"`, `"key":"Paste","code":"Paste"`, `"code":"Paste"`, `"key":"Copy"`, `"key":"Cut"`,
			`"key":"c","windowsVirtualKeyCode":67,"modifiers":2`, `"key":"x","windowsVirtualKeyCode":88,"modifiers":2`} {
			for _, kind := range []string{"rawKeyDown", "keyDown", "char", "keyUp"} {
				a.does(page, "field.value = 'AGENT'; field.select(); 1")
				a.ask(page, "Input.dispatchKeyEvent", fmt.Sprintf(`{"type":%q,%s}`, kind, key))
				if got := a.does(page, "field.value"); !strings.Contains(got, `"AGENT"`) {
					t.Errorf("%s of %s: %s", kind, key, got)
				}
			}
		}
		pipetest.Has(t, a.does(page, "got"), `"value":"vv`)
		pipetest.Lacks(t, a.does(page, "got"), "paste", "copy", "cut")
		a.works(page, "Input.dispatchKeyEvent", `{"type":"rawKeyDown","key":"Backspace","windowsVirtualKeyCode":8,"commands":["deleteBackward"]}`, nil)
		pipetest.Has(t, a.does(page, "field.value"), `"value":""`)
		for _, method := range []string{"Input.dispatchMouseEvent", "Input.emulateTouchFromMouseEvent"} {
			for _, button := range []string{`"button":"middle"`, `"button":"left","buttons":5`, `"button":"left","BUTTON":"middle"`} {
				a.refuses(page, method, `{"type":"mousePressed","x":1,"y":1,"timestamp":1,`+button+`}`)
			}
		}
	}
	for _, context := range []string{"", fmt.Sprintf(`,"browserContextId":%q`, made.BrowserContextID)} {
		of := fmt.Sprintf(`"origin":%q`, p.site) + context
		for _, name := range []string{"clipboardReadWrite", "clipboardSanitizedWrite"} {
			a.refuses("", "Browser.grantPermissions", `{"permissions":["geolocation","`+name+`"],`+of+`}`)
		}
		for _, name := range []string{"clipboard-read", "clipboard-write"} {
			a.refuses("", "Browser.setPermission", `{"permission":{"name":"`+name+`"},"setting":"granted",`+of+`}`)
			a.works("", "Browser.setPermission", `{"permission":{"name":"`+name+`"},"setting":"denied",`+of+`}`, nil)
		}
	}
	pipetest.Lacks(t, a.does(opened, "navigator.clipboard.readText().catch(String)"), "SECRET")
	if got := p.pasted(hands); got != "SECRET" {
		t.Errorf("the person's clipboard has %q", got)
	}
	pipetest.Lacks(t, a.all(), "SECRET")
}

// badSite is a site without a valid certificate.
func badSite(t *testing.T) string {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "<title>BAD</title>")
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	return s.URL
}

// TestWarningsAreThePersons: an agent does not have the person's browser take a certificate that is
// not valid, in its tabs or in another. A context of its own may.
func TestWarningsAreThePersons(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestNothingButLentTabs is quick")
	t.Parallel()
	for name, p := range map[string]func(t *testing.T) *person{
		"pinned": newPerson,
		"whole":  func(t *testing.T) *person { return wholePerson(t, "/form?person") }, // which shows warnings
	} {
		t.Run(name, func(t *testing.T) {
			p, bad := p(t), badSite(t)
			hands := p.hands(p.tab(p.site + "/form?theirs"))
			a := newAgent(t, p.lender())
			_, page := a.open(p.site + "/form?opened")
			a.refuses(page, "Security.setIgnoreCertificateErrors", `{"ignore":true}`)
			a.refuses(page, "Security.setIgnoreCertificateErrors", `{"ignore":false,"Ignore":true}`)
			a.works(page, "Security.setIgnoreCertificateErrors", `{"ignore":false}`, nil)
			a.refuses(page, "Security.setOverrideCertificateErrors", `{"override":true}`)
			a.refuses(page, "Security.handleCertificateError", `{"eventId":1,"action":"continue"}`)
			a.refuses("", "Security.setIgnoreCertificateErrors", `{"ignore":true}`)
			const proceeds = `{"source":"globalThis.certificateErrorPageController?.proceed()"}`
			a.works(page, "Page.addScriptToEvaluateOnNewDocument", proceeds, nil)
			pipetest.Has(t, a.ask(page, "Page.navigate", fmt.Sprintf(`{"url":%q}`, bad)), `"errorText"`)
			a.does(page, "globalThis.certificateErrorPageController?.proceed()")
			for _, c := range "thisisunsafe" {
				a.ask(page, "Input.dispatchKeyEvent", fmt.Sprintf(`{"type":"keyDown","text":"%c","key":"%[1]c","windowsVirtualKeyCode":%d}`, c, c-32))
			}
			pipetest.Has(t, a.ask(page, "Page.navigate", fmt.Sprintf(`{"url":%q}`, bad)), `"errorText"`)
			for i := range 6 {
				_, direct := a.open(fmt.Sprintf("%s/%d", bad, i))
				a.does(direct, "new Promise((r) => setTimeout(r, 300))") // a warning would be there by now
				a.does(direct, "globalThis.certificateErrorPageController?.proceed()")
				if got := a.does(direct, "location.href"); !strings.Contains(got, `"about:blank"`) {
					t.Errorf("a new tab is at %s", got)
				}
			}

			var made struct{ BrowserContextID, TargetID string }
			a.works("", "Target.createBrowserContext", `{}`, &made)
			a.works("", "Target.createTarget", fmt.Sprintf(`{"url":"about:blank","browserContextId":%q}`, made.BrowserContextID), &made)
			own := a.attach(made.TargetID)
			a.works(own, "Security.setIgnoreCertificateErrors", `{"ignore":true}`, nil)
			a.works(own, "Page.navigate", fmt.Sprintf(`{"url":%q}`, bad), nil)
			pipetest.Eventually(t, "its own context takes it", func() bool { return strings.Contains(a.does(own, "document.title"), "BAD") })

			var got struct{ ErrorText string }
			if err := hands.Call(t.Context(), "Page.navigate", map[string]any{"url": bad}, &got); err != nil || got.ErrorText == "" {
				t.Errorf("the person's tab takes it too: %v", err)
			}
		})
	}
}

// TestResourcesWithoutCookies: what an agent fetches past the policies of its page has none of the
// person's cookies.
func TestResourcesWithoutCookies(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestCookiesOfSites is quick")
	t.Parallel()
	p := newPerson(t)
	a := newAgent(t, p.lender())
	_, page := a.open(p.site + "/form")
	frame := regexp.MustCompile(`"id":"(\w{20,})"`).FindStringSubmatch(a.ask(page, "Page.getFrameTree", "{}"))[1]
	params := func(url, options string) string {
		return fmt.Sprintf(`{"frameId":%q,"url":%q,"options":{"disableCache":true,%s}}`, frame, url, options)
	}
	a.works(page, "Network.loadNetworkResource", params(p.site+"/shadow", `"includeCredentials":false`), nil)
	for _, options := range []string{`"includeCredentials":true`, `"includeCredentials":false,"IncludeCredentials":true`} {
		a.refuses(page, "Network.loadNetworkResource", params(p.site+"/shadow", options))
	}
	a.refuses(page, "Network.loadNetworkResource", params("file:///etc/passwd", `"includeCredentials":false`))
}
