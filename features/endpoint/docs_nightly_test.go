//go:build evidence

package endpoint_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pwpipe/internal/machine/setup"
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

// TestExampleOfPlaywright: the example connects, and its page is the one that the tools use.
func TestExampleOfPlaywright(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestPipe is quick")
	t.Parallel()
	in, err := setup.Ensure(t.Context(), setup.Options{SkipBrowser: true})
	if err != nil {
		t.Fatal(err)
	}
	p := pipetest.StartSite(t)
	p.Call("nav", []any{"/login"})
	program := filepath.Join(t.TempDir(), "example.mjs")
	code := "import { createRequire } from 'node:module';\nconst { chromium } = createRequire(import.meta.url)(process.argv[2]);\n" +
		replied(t, p, examples(t, "js")[0]) + "\nconsole.log(await page.title());\nawait browser.close();\n"
	if err := os.WriteFile(program, []byte(code), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), in.Node, program, filepath.Join(in.DriverDir, "package")).CombinedOutput()
	if err != nil || string(out) != "Sign in | Skerry\n" {
		t.Errorf("%v: %s", err, out)
	}
	p.Call("title", nil)
}

// examples are the blocks of docs/cdp.md in a language.
func examples(t *testing.T, language string) (blocks []string) {
	t.Helper()
	text, err := os.ReadFile("../../docs/cdp.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		blocks = append(blocks, m[1])
	}
	return blocks
}

// replied is an example with the reply in it that it speaks of.
func replied(t *testing.T, p *pipetest.Pipe, example string) string {
	t.Helper()
	m := regexp.MustCompile(`/\* the reply of (\{.*\}) \*/`).FindStringSubmatch(example)
	if m == nil {
		t.Fatalf("the example does not say which reply: %s", example)
	}
	p.Send(m[1])
	reply := pipetest.Decode[struct{ Result map[string]any }](t, p.Line())
	url, _ := reply.Result["url"].(string)
	return strings.Replace(example, m[0], `{ url: "`+url+`" }`, 1)
}

// anyChromedriver starts chromedriver and returns the URL of its sessions. It exits if another
// process took its IPv4 port meanwhile.
func anyChromedriver(t *testing.T, program string) string {
	for range 5 {
		if base := startChromedriver(t, program); base != "" {
			return base
		}
	}
	t.Fatal("chromedriver finds no port")
	return ""
}

// startChromedriver is one try of anyChromedriver; "" if it exited at once.
func startChromedriver(t *testing.T, program string) string {
	cmd := exec.Command(program, "--port=0", "--disable-build-check")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	for lines := bufio.NewScanner(out); lines.Scan(); {
		t.Log(lines.Text())
		if _, port, ok := strings.Cut(lines.Text(), "successfully on port "); ok {
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return "http://127.0.0.1:" + strings.TrimSuffix(port, ".") + "/session"
		}
	}
	return ""
}
