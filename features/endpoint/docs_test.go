package endpoint_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pwpipe/internal/machine/setup"
	"pwpipe/internal/pipetest"
)

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

// TestExampleOfPlaywright: the example connects, and its page is the one that the tools use.
func TestExampleOfPlaywright(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestPipe is quick")
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
