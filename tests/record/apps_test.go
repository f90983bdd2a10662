//go:build evidence

package record_test

import (
	_ "embed"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"pwpipe/internal/pipetest"
)

//go:embed testdata/live.js
var liveJS string

// app is an application from npm or pip. A variable names the folder that it is installed in.
type app struct {
	name, variable, install string
	command                 func(folder, data string) *exec.Cmd
	does                    func(r *recorder) // what the person does
}

var apps = []app{
	{
		name: "Node-RED", variable: "PWPIPE_NODE_RED", install: "npm install node-red@4",
		command: func(folder, data string) *exec.Cmd {
			settings, _ := filepath.Abs("testdata/nodered.js")
			return exec.Command("node", filepath.Join(folder, "node_modules/node-red/red.js"), "-u", data, "-s", settings)
		},
		does: func(r *recorder) {
			r.sees(`!!document.querySelector('#red-ui-workspace-tabs li') && document.querySelector('#red-ui-loading-progress').style.display === 'none'`)
			r.click(".red-ui-palette-search input")
			r.types("delay")
			r.click(".red-ui-tab-button.red-ui-tabs-add a")
			r.sees(`document.querySelectorAll('#red-ui-workspace-tabs li').length === 2`)
			r.click("#red-ui-workspace-tabs li:nth-child(2) a", 2)
			r.click("#node-input-name")
			r.types("Harbour")
			r.click("#node-dialog-ok")
			r.sees(`document.querySelector('#red-ui-workspace-tabs').textContent.includes('Harbour')`)
			r.sees(`!document.querySelector('.red-ui-tray')`)
			r.click("#red-ui-header-button-sidemenu")
			r.click("#menu-item-keyboard-shortcuts")
			r.click("#red-ui-settings-tab-keyboard-filter")
			r.types("zoom")
		},
	},
	{
		name: "Gradio", variable: "PWPIPE_GRADIO", install: "python3 -m venv . && bin/pip install gradio",
		command: func(folder, _ string) *exec.Cmd {
			return exec.Command(filepath.Join(folder, "bin/python"), "testdata/boats.py")
		},
		does: func(r *recorder) {
			r.click("textarea")
			r.types("Ada")
			r.sees(`document.querySelector('textarea').value === 'Ada'`)
			r.click("input[type=checkbox]")
			r.click("fieldset label:nth-child(2) input")
			r.click(".form ~ button")
			r.sees(`document.querySelectorAll('textarea')[1].value === 'HEI, ADA!'`)
			r.click("[role=tab]:nth-child(2)")
			r.click(".tabitem:nth-of-type(3) textarea, .tabitem ~ .tabitem textarea")
			r.types("Ropes")
			r.click(".tabitem ~ .tabitem button")
			r.sees(`document.querySelectorAll('.tabitem ~ .tabitem textarea')[1].value === 'Ropes'`)
		},
	},
}

// starts runs the application, and answers its address.
func (a app) starts(t *testing.T, folder string) (url string) {
	t.Helper()
	_, port, _ := net.SplitHostPort(pipetest.FreeAddr(t))
	cmd := a.command(folder, t.TempDir())
	cmd.Env = append(os.Environ(), "PORT="+port, "GRADIO_ANALYTICS_ENABLED=False", "HF_HUB_OFFLINE=1")
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		pipetest.Kill(cmd)
		if text, _ := os.ReadFile(log.Name()); t.Failed() {
			t.Logf("%s", text)
		}
	})
	url = "http://127.0.0.1:" + port
	pipetest.Eventually(t, a.name, func() bool {
		r, err := http.Get(url)
		if err != nil {
			return false
		}
		_ = r.Body.Close()
		return r.StatusCode == http.StatusOK
	})
	return url
}

// recorded records what the person does on pages that are as they were.
func (a app) recorded(t *testing.T, c *changing) string {
	t.Helper()
	r := records(t, "http://none-0-rec.localhost"+c.addr+"/")
	a.does(r)
	r.told()
	_ = r.Cmd.Process.Signal(os.Interrupt)
	lines, status := r.Wait()
	if status != 0 {
		t.Fatalf("the recording ended with %d: %s", status, r.Stderr())
	}
	t.Logf("recorded\n%s", lines)
	return strings.ReplaceAll(lines, `"url":"/`, `"url":"http://HOST-`+a.variable+`.localhost`+c.addr+`/`)
}

// TestChangedApps: flows of real applications, recorded with `pwpipe record`, run on pages
// that are changed as they are built. A replay with repair never takes another element than
// the recorded one. -update writes the tables of docs/shell.md.
func TestChangedApps(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestRecord is quick")
	const seeds = 10
	var writing sync.Mutex
	for _, a := range apps {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			folder := os.Getenv(a.variable)
			if folder == "" {
				t.Skipf("%s names no folder with %s; make one with: %s", a.variable, a.name, a.install)
			}
			c := changed(t, a.starts(t, folder), liveJS)
			c.timeout = 24
			logs := map[string]string{a.variable: a.recorded(t, c)}
			if o := c.replay(t, logs, "none", 1, false); o.stopped > 0 {
				t.Fatal("the recording does not replay on the page that it was made on")
			}
			rows := slices.DeleteFunc(slices.Clone(kinds), func(k kind) bool { return k.name == "swapped" })
			lines := make([]string, len(rows))
			t.Run("changes", func(t *testing.T) {
				for i, kind := range rows {
					t.Run(kind.name, func(t *testing.T) {
						t.Parallel()
						plain, repaired := c.replay(t, logs, kind.name, seeds, false), c.replay(t, logs, kind.name, seeds, true)
						lines[i] = row(kind.what, plain, repaired)
						t.Log(lines[i])
					})
				}
			})
			table := tableHead + strings.Join(lines, "")
			if pipetest.Update() && !t.Failed() {
				writing.Lock()
				defer writing.Unlock()
				pipetest.GoldenSection(t, "../../docs/shell.md", "repair "+a.name, "\n"+table)
			}
		})
	}
}

// tableHead and row write how replays ended.
const tableHead = "| the page's next version | replays | pass | act on another element | pass with `--repair` | " +
	"stop | act on another |\n|---|---|---|---|---|---|---|\n"

func row(what string, plain, repaired outcome) string {
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %d | %d |\n",
		what, plain.runs, plain.passed, plain.wrong, repaired.passed, repaired.stopped, repaired.wrong)
}
