package endpoint_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// serveFiles serves downloads: a plain one, one in a new window, and one without an
// end.
func serveFiles(t *testing.T) string {
	t.Helper()
	rest := make(chan bool, 10)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/file":
			w.Header().Set("Content-Disposition", `attachment; filename="tide.txt"`)
			_, _ = io.WriteString(w, "high at nine")
		case "/half":
			w.Header().Set("Content-Disposition", `attachment; filename="tide.txt"`)
			w.Header().Set("Content-Type", "text/x-tide") // otherwise the browser waits for more bytes to detect a type
			_, _ = io.WriteString(w, "high ")
			w.(http.Flusher).Flush()
			select {
			case <-rest:
			case <-r.Context().Done():
			}
			_, _ = io.WriteString(w, "at nine")
		case "/rest":
			rest <- true
		case "/slow":
			w.Header().Set("Content-Disposition", `attachment; filename="sea.bin"`)
			_, _ = w.Write(make([]byte, 100_000))
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		default:
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, `<a id=here href=/file>here</a> <a id=new href=/file target=_blank>new</a> <a id=half href=/half>half</a> <a id=slow href=/slow>slow</a> <iframe srcdoc="<a href=/file>inside</a>"></iframe>`)
		}
	}))
	t.Cleanup(site.Close)
	return site.URL
}

// A client neither sees nor cancels the downloads of another session.
func TestDownloadsOfOthers(t *testing.T) {
	pipetest.InCIAndRace(t, "it is long, and TestHostileClient is quick")
	t.Parallel()
	site := serveFiles(t)
	svc := pipetest.SharedService(t, "ALLOW_HOST_REGEX=^http://127\\.0\\.0\\.1:")
	ours, theirs := svc.Open(nil), svc.Open(nil)
	for _, s := range []pipetest.Session{ours, theirs} {
		s.On("nav", map[string]any{"url": site})
	}
	c, other := connect(t, svc, ours), connect(t, svc, theirs)
	for _, c := range []*raw{c, other} {
		at := c.settle()
		c.get(at.session, "Page.enable", nil, &struct{}{})
		c.get("", "Browser.setDownloadBehavior", map[string]any{"behavior": "allowAndName", "downloadPath": "/", "eventsEnabled": true}, &struct{}{})
		c.refused("", "Browser.setDownloadBehavior", map[string]any{"behavior": "allow", "downloadPath": "/", "eventsEnabled": true, "browserContextId": strings.Repeat("A", 32)}, "Failed to find browser context")
	}
	ours.On("click", map[string]any{"sel": "#slow"})
	guid := ""
	pipetest.Eventually(t, "the client hears of it", func() bool {
		_, rest, _ := strings.Cut(c.text(), `"Browser.downloadWillBegin"`)
		_, rest, _ = strings.Cut(rest, `"guid":"`)
		guid, _, _ = strings.Cut(rest, `"`)
		return guid != ""
	})
	other.refused("", "Browser.cancelDownload", map[string]any{"guid": guid}, "No download item")
	c.get("", "Browser.cancelDownload", map[string]any{"guid": guid}, &struct{}{})
	pipetest.Eventually(t, "it is cancelled", func() bool { return strings.Contains(c.text(), `"state":"canceled"`) })
	if strings.Contains(other.text(), ".download") {
		t.Errorf("the other session's client heard %s", other.text())
	}
}
