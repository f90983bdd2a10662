package scripts_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"pwpipe/internal/pipetest"
)

// A script's page.request reaches https by a host's name, as by its address.
func TestScriptHTTPSByName(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestOverheardCertificate is quick")
	t.Parallel()
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte("ok")) }))
	t.Cleanup(s.Close)
	_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
	p := pipetest.Start(t)
	p.Call("open-ctx", pipetest.Object{"insecure": true})
	for _, host := range []string{"127.0.0.1", "localhost"} {
		pipetest.Has(t, pipetest.Execute(p, `(await page.request.get('https://`+host+`:`+port+`/')).status()`), "200")
	}
}
