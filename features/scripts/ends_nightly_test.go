//go:build evidence

package scripts_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// Context options that the parent handles: initial storage, refused downloads, and
// unsupported options.
func TestContextsOfScripts(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestBothSidesAgree is quick")
	t.Parallel()
	p := start(t, "/form")
	for _, c := range []struct{ code, want string }{
		{`const c = await browser.newContext({ storageState: { cookies: [{ name: 'a', value: '1', domain: '127.0.0.1', path: '/', expires: -1, httpOnly: false, secure: false, sameSite: 'Lax' }],
			origins: [{ origin: new URL(page.url()).origin, localStorage: [{ name: 'k', value: 'v' }] }] } });
		const q = await c.newPage(); await q.goto(page.url()); const got = await q.evaluate(() => [document.cookie.includes('a=1'), localStorage.k]); await c.close(); got`, `[true,"v"]`},
		{`const c = await browser.newContext({ acceptDownloads: false }), q = await c.newPage();
		const [d] = await Promise.all([q.waitForEvent('download'), q.evaluate(() => { const a = document.createElement('a'); a.href = 'data:text/plain,x'; a.download = 'a.txt'; a.click() })]);
		const got = [await d.failure(), await d.path().catch(e => e.message)].map(s => s.includes('acceptDownloads: true')); await c.close(); got`, `[true,true]`},
		{`(await browser.newContext({ clientCertificates: [{ origin: 'https://127.0.0.1', cert: Buffer.from('x'), key: Buffer.from('y') }] }).catch(e => e.message)).includes('request.newContext() takes them')`, `true`},
	} {
		if got := pipetest.Execute(p, c.code); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.code, got, c.want)
		}
	}
}
