package service_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// Paste keys enter the session's own clipboard, in scripts and tools, because
// the browser's clipboard is shared.
func TestScriptsPasteTheirSessionsText(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestClipboardsOfContexts of tests/eachtool is quick")
	t.Parallel()
	svc := pipetest.SharedService(t)
	other, s := svc.Open(nil), svc.Open(nil)
	for _, o := range []struct {
		of   pipetest.Session
		text string
	}{{other, "theirs"}, {s, "mine"}} {
		o.of.On("page.goto", m{"url": "/form"})
		o.of.On("copy", m{"text": o.text})
	}
	var got []string
	s.Execute(`await page.setContent('<input id=a><textarea id=b></textarea><div id=c contenteditable></div>');
		await page.evaluate(() => { window.heard = []; document.addEventListener('paste', (e) => heard.push(e.clipboardData.getData('text/plain'))); });
		await page.locator('#a').press('ControlOrMeta+v');
		await page.focus('#b'); await page.keyboard.down('Shift'); await page.keyboard.press('Insert'); await page.keyboard.up('Shift'); await page.keyboard.type('!');
		await page.focus('#c'); const cdp = await context.newCDPSession(page); await cdp.send('Input.dispatchKeyEvent', { type: 'keyDown', commands: ['Paste'] });
		[await page.inputValue('#a'), await page.inputValue('#b'), await page.innerText('#c'), ...await page.evaluate(() => heard)]`, &got)
	want := []string{"mine", "mine!", "mine", "mine", "mine", "mine"}
	if len(got) != len(want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %q, want %q", got, want)
			break
		}
	}
	for _, code := range []string{
		`const at = await page.locator('#b').boundingBox(); await page.mouse.click(at.x + 5, at.y + 5, { button: 'middle' })`,
		`await page.locator('#b').click({ button: 'middle' })`, `await page.click('#b', { button: 'middle' })`} {
		pipetest.Has(t, s.Said("execute", s.With(m{"code": code})), "the middle button would paste")
	}
}
