//go:build evidence

package scripts_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestMatchAriaSnapshot: a script compares a page's outline with a text, as tests do,
// or with a file in the script's folder.
func TestMatchAriaSnapshot(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestPlaywrightItself is quick")
	t.Parallel()
	p, dir := pipetest.SharedIn(t)
	const page = "await page.setContent('<h1>Hi there</h1><ul><li>a</li><li>b</li></ul>'); "
	file := filepath.Join(dir, "page.aria.yml")
	if err := os.WriteFile(file, []byte("- heading \"Hi there\"\n- list\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, code := range []string{
		fmt.Sprintf("await expect(page).toMatchAriaSnapshot({name: %q})", file),
		"await expect(page.locator('body')).toMatchAriaSnapshot(`\n  - heading \"Hi there\" [level=1]\n  - list:\n    - listitem: a\n    - listitem: /b+/\n`)",
		"await expect(page.locator('ul')).toMatchAriaSnapshot('- list:\\n  - /children: equal\\n  - listitem: a\\n  - listitem: b')",
		"await expect(page.locator('body')).not.toMatchAriaSnapshot('- heading \"Bye\"')",
		"setTimeout(() => page.evaluate(() => { document.querySelector('h1').textContent = 'Bye' }), 200); await expect(page.locator('body')).toMatchAriaSnapshot('- heading \"Bye\"')",
	} {
		if got := p.Call("execute", pipetest.Object{"code": page + code + "; 'held'"}); got != `{"result":"held"}` {
			t.Errorf("%s: %s", code, got)
		}
	}
	for code, want := range map[string]string{
		`await expect(page.locator('body')).toMatchAriaSnapshot('- heading "Bye"', {timeout: 300})`:                  `+ - heading "Hi there" [level=1]`,
		`await expect.configure({timeout: 300})(page.locator('h1')).not.toMatchAriaSnapshot('- heading "Hi there"')`: `Expected: not "- heading`,
		`await expect(page.locator('body')).toMatchAriaSnapshot({name: 'x'})`:                                        "there is no file /",
	} {
		pipetest.Has(t, p.Fail("execute", pipetest.Object{"code": page + code}), want)
	}
}
