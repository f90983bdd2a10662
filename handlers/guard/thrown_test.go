package guard_test

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// A value that a script throws, or that its functions return, may throw when it
// is read. The process, which other sessions share, goes on, and the script
// gets its error in time.
func TestWhatThrowsWhenItIsRead(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestSecretsAreMaskedBeforeTheCut is quick")
	t.Parallel()
	p, _ := pipetest.SharedIn(t)
	p.Call("nav", []any{"/form"})
	for _, code := range []string{
		`setTimeout(() => { throw { get name() { throw 1 } } }, 1); await new Promise((ok) => setTimeout(ok, 100))`,
		`Promise.reject({ get message() { throw 1 } }); await page.title()`,
		`throw { get stack() { throw 1 }, message: 'x' }`,
		`throw { toString() { throw 1 } }`,
		`throw new Proxy({}, { get() { throw 1 } })`,
		`await page.exposeFunction('a', () => ({ get b() { throw 1 } })); await page.evaluate(() => a())`,
		`await page.exposeFunction('c', () => new Proxy({}, { ownKeys() { throw 1 } })); await page.evaluate(() => c())`,
		`page.on('console', () => { throw new Proxy({}, { get() { throw 1 } }) }); await page.evaluate(() => console.log(1)); await page.waitForTimeout(100)`,
		`await page.evaluate(() => 1, { get a() { throw 1 } })`,
	} {
		if r := p.Try("execute", map[string]any{"code": code}, "timeout", 60); strings.Contains(r.Error, "did not end within") {
			t.Errorf("%s: %s", code, r.Error)
		}
		if got := p.Call("execute", map[string]any{"code": "1 + 1"}); got != `{"result":2}` {
			t.Errorf("%s after %s", got, code)
		}
	}
}
