package extension

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/browser/cdp"
	"pwpipe/internal/pipetest"
)

// person is a person with a whole Chromium, which has pwpipe's extension.
type person struct {
	t       *testing.T
	env     []string // of the person's programs
	browser *cdp.Session
	worker  *cdp.Session // with the extension's
	cmd     *exec.Cmd
}

// extensionID follows from the key in the extension's manifest.
const extensionID = "mknmcmdkjcjbalcbepkegjlafephledp"

// startPerson installs the extension and starts the Chromium, as a person does. It skips the test
// where there is no whole Chromium: the one that pwpipe fetches has no extensions.
func startPerson(t *testing.T) *person {
	t.Helper()
	program, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("there is no whole Chromium here, which could load an extension (apt install chromium)")
	}
	home := pipetest.ProfileDir(t)
	p := &person{t: t, env: append(os.Environ(), "XDG_CONFIG_HOME="+filepath.Join(home, "config"), "XDG_RUNTIME_DIR="+home)}
	install := exec.Command(pipetest.Binary(t), "extension", "install", "--browser", "chromium")
	install.Env = p.env
	out, err := install.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	extension := filepath.Join(home, "config", "pwpipe", "extension")
	pipetest.Has(t, string(out), extension, "Load unpacked")
	fromBrowser, toUs, err1 := os.Pipe()
	toBrowser, fromUs, err2 := os.Pipe()
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	p.cmd = exec.Command(program, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-pipe",
		"--enable-unsafe-extension-debugging", "--user-data-dir="+filepath.Join(home, "config", "chromium"), "about:blank")
	p.cmd.Env, p.cmd.ExtraFiles = p.env, []*os.File{toBrowser, toUs}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_, _ = toUs.Close(), toBrowser.Close()
	conn := cdp.New(fromBrowser, fromUs)
	t.Cleanup(func() {
		p.quit()
		_ = conn.Close()
	})
	if p.browser, err = conn.Browser(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.call("Extensions.loadUnpacked", map[string]any{"path": extension}, nil)
	p.waitFor("the extension's worker", func() bool { return p.findWorker() })
	p.badge() // by now it hears of clicks
	return p
}

// findWorker attaches to the extension's worker.
func (p *person) findWorker() bool {
	list := p.targets("service_worker")
	if len(list) == 0 {
		return false
	}
	var err error
	if p.worker, err = p.browser.Attach(p.t.Context(), list[0].TargetID); err != nil {
		p.t.Fatal(err)
	}
	return true
}

// badge is what the extension's button shows in each tab.
func (p *person) badge() string {
	p.t.Helper()
	return p.see(`chrome.tabs.query({}).then((list) => Promise.all(list.map(({id: tabId}) => chrome.action.getBadgeText({tabId}))))`)
}

// strip is what the person sees of the tabs, in their order: the group of each, its address, and
// whether it is pinned.
func (p *person) strip() string {
	p.t.Helper()
	return p.see(`Promise.all([chrome.tabs.query({}), chrome.tabGroups.query({}), chrome.debugger.getTargets()]).then(([tabs, groups, targets]) =>
		tabs.map(({id, groupId, pinned}) => (groups.find((g) => g.id === groupId)?.title ?? '') + ': '
			+ targets.find(({tabId}) => tabId === id)?.url + (pinned ? ' pinned' : '') + ';').join(''))`)
}

// groups is what strip says of tabs in groups.
func (p *person) groups() (list string) {
	p.t.Helper()
	for _, one := range strings.SplitAfter(p.strip(), ";") {
		if one != "" && !strings.HasPrefix(one, ": ") {
			list += one
		}
	}
	return list
}

// active are the tabs that the person sees.
func (p *person) active() string {
	p.t.Helper()
	return p.see(`chrome.tabs.query({active: true}).then((list) => list.map(({id}) => id))`)
}

// debugged is the number of tabs to which a debugger is attached.
func (p *person) debugged() string {
	p.t.Helper()
	return p.see(`chrome.debugger.getTargets().then((list) => list.filter(({tabId, attached}) => tabId && attached).length)`)
}

// see evaluates a promise in the extension's worker.
func (p *person) see(expression string) string {
	p.t.Helper()
	var got struct{ Result struct{ Value string } }
	err := p.worker.Call(p.t.Context(), "Runtime.evaluate", map[string]any{"awaitPromise": true, "expression": expression + ".then(String)"}, &got)
	if err != nil {
		p.t.Fatal(err)
	}
	return got.Result.Value
}

type target struct{ TargetID, URL string }

func (p *person) targets(kind string) []target {
	p.t.Helper()
	var open struct {
		Infos []target `json:"targetInfos"`
	}
	p.call("Target.getTargets", map[string]any{"filter": []any{map[string]any{"type": kind}}}, &open)
	return open.Infos
}

func (p *person) quit() { pipetest.Kill(p.cmd) }

func (p *person) call(method string, params, into any) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), pipetest.Patience)
	defer cancel()
	if err := p.browser.Call(ctx, method, params, into); err != nil {
		p.t.Fatalf("%s: %v", method, err)
	}
}

// open opens a tab, and waits until it is there.
func (p *person) open(url string) {
	p.t.Helper()
	p.call("Target.createTarget", map[string]any{"url": url}, nil)
	p.waitFor("a tab at "+url, func() bool { return p.tab(url) != "" })
}

// tab is the tab at an address, "" for none.
func (p *person) tab(url string) string {
	p.t.Helper()
	for _, i := range p.targets("tab") {
		if i.URL == url {
			return i.TargetID
		}
	}
	return ""
}

// click goes to the tab at an address, and clicks the extension's button.
func (p *person) click(url string) {
	p.t.Helper()
	p.call("Target.activateTarget", map[string]any{"targetId": p.tab(url)}, nil)
	before := p.badge()
	p.call("Extensions.triggerAction", map[string]any{"id": extensionID, "targetId": p.tab(url)}, nil)
	p.waitFor("another badge than "+before, func() bool { return p.badge() != before })
}

// pwpipe starts a pwpipe of this person's.
func (p *person) pwpipe(args ...string) *pipetest.Pipe {
	p.t.Helper()
	cmd := exec.Command(pipetest.Binary(p.t), append([]string{"--cdp", "extension"}, args...)...)
	cmd.Env = p.env
	return pipetest.StartCmd(p.t, cmd)
}

// killHost ends the native messaging host.
func (p *person) killHost() {
	p.t.Helper()
	for pid, line := range pipetest.Descendants(p.t, p.cmd.Process.Pid) {
		if strings.Contains(line, "pwpipe chrome-extension://") {
			host, err := os.FindProcess(pid)
			if err == nil {
				err = host.Kill()
			}
			if err != nil {
				p.t.Fatal(err)
			}
			return
		}
	}
	p.t.Fatal("no native messaging host runs")
}

func (p *person) waitFor(what string, is func() bool) {
	p.t.Helper()
	pipetest.Eventually(p.t, what, is)
}
