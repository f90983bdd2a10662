package reach

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	devtools "pwpipe/internal/browser/cdp"
	"pwpipe/internal/pipetest"
)

// attach attaches to a target. Later commands use that session.
func (c *client) attach(target string) {
	c.t.Helper()
	c.session = ""
	got := c.ask("Target.attachToTarget", map[string]any{"targetId": target, "flatten": true})
	id := regexp.MustCompile(`"sessionId":"(\w+)"`).FindStringSubmatch(got)
	if id == nil {
		c.t.Fatal(got)
	}
	c.session = id[1]
}

// worlds are the reported worlds, by name: id and unique id.
func (c *client) worlds() map[string][2]any {
	all := map[string][2]any{}
	for _, m := range regexp.MustCompile(`"id":(\d+),"origin":"[^"]*","name":"([^"]*)","uniqueId":"([^"]*)"`).FindAllStringSubmatch(c.heard, -1) {
		id, _ := strconv.Atoi(m[1])
		all[m[2]] = [2]any{id, m[3]}
	}
	return all
}

// steals tries to run code in a foreign world, with every command that can name one.
func (c *client) steals(world [2]any, code string) {
	c.t.Helper()
	var html struct {
		Result struct {
			Root struct{ BackendNodeID int }
		}
	}
	_ = json.Unmarshal([]byte(c.ask("DOM.getDocument", nil)), &html)
	run := "function() { return " + code + " }"
	for _, ask := range []struct {
		method string
		params map[string]any
	}{
		{"Runtime.evaluate", map[string]any{"expression": code, "contextId": world[0]}}, {"Runtime.evaluate", map[string]any{"expression": code, "uniqueContextId": world[1]}},
		{"Runtime.callFunctionOn", map[string]any{"functionDeclaration": run, "executionContextId": world[0]}}, {"Runtime.callFunctionOn", map[string]any{"functionDeclaration": run, "uniqueContextId": world[1]}},
		{"DOM.resolveNode", map[string]any{"backendNodeId": html.Result.Root.BackendNodeID, "executionContextId": world[0]}},
		{"Runtime.compileScript", map[string]any{"expression": code, "sourceURL": "", "persistScript": true, "executionContextId": world[0]}},
	} {
		if got := c.ask(ask.method, ask.params); !strings.Contains(got, `"error"`) {
			c.t.Errorf("%s %v: %s", ask.method, ask.params, got)
		}
	}
}

// A client works in the pages' worlds and in its own. It can't guess its way into
// those of others.
func TestWorldsOfOthersInLentTabs(t *testing.T) {
	pipetest.InCIAndRace(t, "it is long, and TestPersonsTabsStayTheirs is quick")
	t.Parallel()
	c, connect := lendForm(t, pipetest.Site(t))
	thief, tab := connect()
	person := c.person(tab)
	person.ask("Runtime.enable", nil)
	person.works("Page.createIsolatedWorld", map[string]any{"frameId": tab, "worldName": "theirs"})
	theirs, ok := person.worlds()["theirs"]
	if !ok {
		t.Fatal(person.heard)
	}
	person.works("Runtime.evaluate", map[string]any{"expression": "globalThis.own = 'SECRET'", "contextId": theirs[0]})
	thief.attach(tab)
	thief.steals(theirs, "own")
	thief.works("Runtime.enable", nil)
	thief.works("Page.createIsolatedWorld", map[string]any{"frameId": tab, "worldName": "mine"})
	worlds := thief.worlds()
	mine, ok := worlds["mine"]
	if _, heard := worlds["theirs"]; heard || !ok {
		t.Errorf("it hears of %v", worlds)
	}
	pipetest.Has(t, thief.ask("Runtime.evaluate", map[string]any{"expression": "typeof own", "contextId": mine[0]}), "undefined")
	pipetest.Has(t, thief.ask("Runtime.callFunctionOn", map[string]any{"functionDeclaration": "() => document.title", "executionContextId": mine[0]}), `"Form | Skerry"`)
	pipetest.Lacks(t, thief.heard, "SECRET", "theirs")
}

// A person's extensions in pages are hidden: their worlds and frames.
func TestExtensionsInLentTabs(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestPersonsTabsStayTheirs is quick")
	t.Parallel()
	vault := t.TempDir()
	for name, text := range map[string]string{
		"manifest.json": `{"manifest_version": 3, "name": "vault", "version": "1", "permissions": ["storage"], "host_permissions": ["<all_urls>"], "content_scripts": [{"matches": ["<all_urls>"], "js": ["in.js"]}], "web_accessible_resources": [{"resources": ["page.html"], "matches": ["<all_urls>"]}]}`,
		"in.js":         `globalThis.own = 'SECRET'; document.documentElement.dataset.vault = chrome.runtime.id; document.documentElement.addEventListener('vault', function() {}); console.log('SECRET')`,
		"page.html":     `<title>SECRET</title>SECRET`,
	} {
		if err := os.WriteFile(filepath.Join(vault, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c, connect := lendForm(t, pipetest.Site(t), "--load-extension="+vault, "--disable-features=DisableLoadExtensionCommandLineSwitch")
	var is struct{ Browser string }
	if _ = json.Unmarshal(c.ask("GET", "/json/version"), &is); devtools.IsShell(is.Browser) {
		t.Skip("a headless shell has no extensions: PWPIPE_BROWSER names a whole Chromium")
	}
	thief, tab := connect()
	person := c.person(tab)
	person.ask("Runtime.enable", nil)
	person.works("Page.enable", nil)
	pipetest.Eventually(t, "the extension is there", func() bool {
		if strings.Contains(person.ask("Runtime.evaluate", map[string]any{"expression": "document.documentElement.dataset.vault || ''"}), `"value":""`) {
			person.works("Page.reload", nil)
			return false
		}
		return true
	})
	theirs, ok := person.worlds()["vault"]
	if !ok {
		t.Fatal(person.heard)
	}
	thief.attach(tab)
	for _, domain := range []string{"Page", "Runtime", "DOM", "Debugger", "Network"} {
		thief.works(domain+".enable", nil)
	}
	thief.steals(theirs, "own")
	var html struct {
		Result struct{ Result struct{ ObjectID string } }
	}
	_ = json.Unmarshal([]byte(thief.ask("Runtime.evaluate", map[string]any{"expression": "document.documentElement", "objectGroup": "mine"})), &html)
	pipetest.Lacks(t, thief.ask("DOMDebugger.getEventListeners", map[string]any{"objectId": html.Result.Result.ObjectID, "depth": -1, "pierce": true}), `"type":"vault"`)
	pipetest.Has(t, thief.ask("HeapProfiler.takeHeapSnapshot", nil), `"error"`)

	thief.works("Target.setAutoAttach", map[string]any{"autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true})
	thief.works("Runtime.evaluate", map[string]any{"awaitPromise": true, "expression": "new Promise((done) => { const f = document.createElement('iframe'); f.onload = done; f.src = 'chrome-extension://' + document.documentElement.dataset.vault + '/page.html'; document.body.append(f) })"})
	own := thief.session
	for _, m := range regexp.MustCompile(`"Target.attachedToTarget","params":\{"sessionId":"(\w+)"`).FindAllStringSubmatch(thief.heard, -1) {
		if thief.session = m[1]; thief.session == own {
			continue
		}
		pipetest.Has(t, thief.ask("DOM.getDocument", map[string]any{"depth": -1}), `"error"`)
		pipetest.Has(t, thief.ask("Runtime.evaluate", map[string]any{"expression": "document.body.innerText"}), `"error"`)
	}
	thief.session = own
	pipetest.Has(t, thief.ask("Page.captureSnapshot", nil), `"error"`)
	pipetest.Lacks(t, thief.heard, "SECRET", `"vault"`)
}
