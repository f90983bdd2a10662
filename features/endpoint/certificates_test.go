package endpoint_test

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"testing"

	"pwpipe/internal/pipetest"
)

// A client that ignores certificate errors does so for its own pages, open and future
// ones, and for no other session's.
func TestCertificatesOfAClient(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestHostileClient is quick")
	t.Parallel()
	site := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	site.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(site.Close)
	svc := pipetest.StartService(t)
	ours, theirs := svc.Open(nil), svc.Open(nil)
	for _, s := range []pipetest.Session{ours, theirs} {
		s.On("nav", map[string]any{"url": "about:blank"})
	}
	c := connect(t, svc, ours)
	us, them := c.settle(), connect(t, svc, theirs)
	goes := func(c *raw, session string) string {
		var got struct{ ErrorText string }
		c.get(session, "Page.navigate", map[string]any{"url": site.URL}, &got)
		return got.ErrorText
	}
	const invalid = "net::ERR_CERT_AUTHORITY_INVALID"
	if got := goes(c, us.session); got != invalid {
		t.Errorf("before: %q", got)
	}
	c.get("", "Security.setIgnoreCertificateErrors", map[string]any{"ignore": true}, &struct{}{})
	if got := goes(c, us.session); got != "" {
		t.Errorf("a page that was there: %q", got)
	}
	if got := goes(them, them.settle().session); got != invalid {
		t.Errorf("another session's: %q", got)
	}
	var made struct{ TargetID, SessionID string }
	c.get("", "Target.createTarget", map[string]any{"url": "about:blank"}, &made)
	c.get("", "Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true}, &made)
	if got := goes(c, made.SessionID); got != "" {
		t.Errorf("a page that came later: %q", got)
	}
	c.get("", "Security.setIgnoreCertificateErrors", map[string]any{"ignore": false}, &struct{}{})
	site.CloseClientConnections() // open connections are already trusted
	if got := goes(c, made.SessionID); got != invalid {
		t.Errorf("afterwards: %q", got)
	}
}
