package endpoint_test

import (
	"os"
	"path/filepath"
	"testing"

	"pwpipe/internal/pipetest"
)

// A client without download events still gets its files, by their own names, in a folder
// that need not exist. Both commands for this work, but only where its session may
// write.
func TestDownloadsByName(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestHostileClient is quick")
	t.Parallel()
	site := serveFiles(t)
	dir, others := t.TempDir(), t.TempDir()
	svc := pipetest.StartService(t, "ALLOW_HOST_REGEX=^http://127\\.0\\.0\\.1:", "--allow-dir="+dir)
	ours := svc.Open(nil)
	ours.On("nav", map[string]any{"url": site})
	c := connect(t, svc, ours)
	at := c.settle()
	c.get(at.session, "Page.enable", nil, &struct{}{})
	has := func(name string) {
		t.Helper()
		pipetest.Eventually(t, name+" is there", func() bool {
			text, _ := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
			return string(text) == "high at nine"
		})
	}
	where := map[string]any{"behavior": "allow", "downloadPath": filepath.Join(dir, "new")}
	c.get("", "Browser.setDownloadBehavior", where, &struct{}{})
	for _, name := range []string{"new/tide.txt", "new/tide (1).txt"} {
		ours.On("click", map[string]any{"sel": "#here"})
		has(name)
	}
	c.get("", "Browser.setDownloadBehavior", map[string]any{"behavior": "default"}, &struct{}{})
	where["downloadPath"] = filepath.Join(dir, "page")
	c.get(at.session, "Page.setDownloadBehavior", where, &struct{}{})
	ours.On("click", map[string]any{"sel": "#here"})
	has("page/tide.txt")

	// Also in a context of the client's own.
	var own struct{ BrowserContextID, TargetID, SessionID string }
	c.get("", "Target.createBrowserContext", map[string]any{}, &own)
	c.get("", "Target.createTarget", map[string]any{"url": site, "browserContextId": own.BrowserContextID}, &own)
	c.get("", "Target.attachToTarget", map[string]any{"targetId": own.TargetID}, &own)
	c.get(own.SessionID, "Page.enable", nil, &struct{}{})
	where["downloadPath"] = filepath.Join(dir, "own")
	c.get(own.SessionID, "Page.setDownloadBehavior", where, &struct{}{})
	pipetest.Eventually(t, "the page is there", func() bool { return c.evaluate(own.SessionID, "!!document.querySelector('#slow')") == "true" })
	c.evaluate(own.SessionID, "document.querySelector('#here').click()")
	has("own/tide.txt")

	where["downloadPath"] = filepath.Join(others, "new")
	c.get(at.session, "Page.setDownloadBehavior", where, &struct{}{})
	where["downloadPath"] = filepath.Join(dir, "last")
	c.get("", "Browser.setDownloadBehavior", where, &struct{}{})
	ours.On("click", map[string]any{"sel": "#here"})
	has("last/tide.txt")
	if list, _ := os.ReadDir(others); len(list) > 0 {
		t.Errorf("written beside the allowed folder: %v", list)
	}
}
