//go:build evidence

package endpoint_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestExampleOfSelenium runs the example with the chromedriver of this machine.
func TestExampleOfSelenium(t *testing.T) {
	pipetest.Nightly(t, "TestPortOfASession asks what it asks")
	program, err := exec.LookPath("chromedriver")
	if err != nil {
		t.Skip("there is no chromedriver")
	}
	p := pipetest.StartSite(t)
	p.Call("nav", []any{"/login"})
	example := examples(t, "python")[0]
	if !strings.Contains(example, `{"id":1,"method":"session.cdp","params":{"port":true}}`) {
		t.Fatalf("the example asks for another address: %s", example)
	}
	address := pipetest.Get[ported](p, "session.cdp", map[string]any{"port": true}).Address
	// Remote takes a running chromedriver, so that one that lost its port can be started again.
	code := "import sys\nfrom selenium import webdriver\naddress = sys.argv[1]\n" +
		strings.Replace(example, "webdriver.Chrome(options=options)", "webdriver.Remote(sys.argv[2], options=options)", 1) + "print(driver.title)\n"
	cmd := exec.CommandContext(t.Context(), "python3", "-c", code, address, strings.TrimSuffix(anyChromedriver(t, program), "/session"))
	cmd.Env = append(os.Environ(), "PYTHONPATH="+pipetest.PIP(t, "selenium==4.27.1"))
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "Sign in | Skerry") {
		t.Errorf("%v: %s", err, out)
	}
}
