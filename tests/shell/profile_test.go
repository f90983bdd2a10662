//go:build evidence && unix

package shell

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/internal/pipetest"
)

// What a profile of Playwright MCP has is there before the first page: cookies, local storage
// and IndexedDB, of each site. The profile stays as it is, and no site is asked for anything.
func TestImportProfile(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestStates is quick")
	t.Parallel()
	d, kept := newKeeper(t)
	profile := filepath.Join(d.run, "profile")
	peer := pipetest.Peer(t, pipetest.PlaywrightMCP, pipetest.PlaywrightMCPFile, "--headless", "--no-sandbox",
		"--executable-path", pipetest.Installed(t).Executable, "--user-data-dir", profile)
	theirs, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).
		Connect(t.Context(), &mcp.CommandTransport{Command: peer}, nil)
	if err != nil {
		t.Fatal(err)
	}
	site := strings.TrimSpace(d.ok("echo $SITE"))
	var asked atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<script>localStorage.lamp = 'lit'</script>"))
	}))
	t.Cleanup(other.Close)
	for _, call := range []mcp.CallToolParams{
		{Name: "browser_navigate", Arguments: map[string]any{"url": site + "/form"}},
		{Name: "browser_evaluate", Arguments: map[string]any{"function": "async () => {" +
			"document.cookie = 'who=one; max-age=9999'; localStorage.who = 'one';" +
			"const r = indexedDB.open('db', 1); r.onupgradeneeded = () => r.result.createObjectStore('s').put('one', 'who');" +
			"await new Promise(done => r.onsuccess = done); r.result.close() }"}},
		{Name: "browser_navigate", Arguments: map[string]any{"url": other.URL}},
		{Name: "browser_close", Arguments: map[string]any{}},
	} {
		if r, err := theirs.CallTool(t.Context(), &call); err != nil || r.IsError {
			t.Fatalf("%s: %v %+v", call.Name, err, r)
		}
	}
	_ = theirs.Close()

	were := asked.Load()
	before := d.ok("cd " + profile + "; find . -type f -exec cksum {} + | sort")
	pipetest.Has(t, d.ok("mkdir $HOME/temp; TMPDIR=$HOME/temp pwpipe state-import shop "+profile), `"state":"shop","cookies":1,"origins":2,`)
	if after := d.ok("cd " + profile + "; find . -type f -exec cksum {} + | sort"); after != before {
		t.Errorf("the profile is another one:\n%s\n%s", before, after)
	}
	pipetest.Has(t, d.ok("pwpipe state-show shop"), "local storage lamp of "+other.URL, "IndexedDB db of "+site)
	if now := asked.Load(); were == 0 || now != were {
		t.Errorf("%d requests for the site, and %d after the import", were, now)
	}
	d.ok("pwpipe open -q --state shop $SITE/form")
	if got := d.stored(); got != "who=one|one|one|" {
		t.Errorf("restored: %s", got)
	}
	d.ok("pwpipe close; pwpipe state-import own " + filepath.Join(profile, "Default"))
	pipetest.Has(t, d.ok("pwpipe state-show own"), "cookie who of 127.0.0.1/", "local storage lamp", "IndexedDB db")

	pipetest.Has(t, d.fails(1, "pwpipe state-import x $HOME/temp"), "it is a folder without cookies and storage")
	pipetest.Has(t, d.fails(1, "pwpipe state-import ../x "+profile), "name: expected up to 64")
	broken := filepath.Join(profile, "Default", "Local Storage", "leveldb", "CURRENT")
	if err := os.WriteFile(broken, []byte("MANIFEST-999\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	pipetest.Has(t, d.fails(1, "pwpipe state-import x "+profile), "its local storage can't be read")
	if got := d.ok("ls " + filepath.Join(filepath.Dir(filepath.Dir(kept)), "saved") + "; ls $HOME/temp"); got != "own.json\nshop.json\n" {
		t.Errorf("files are left: %s", got)
	}
}
