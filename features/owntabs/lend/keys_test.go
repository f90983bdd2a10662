package lend

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

// TestKeysOfTheBrowser: keys of an agent are its page's. None opens or closes a tab of the person's
// window. The pinned Chromium has no such keys.
func TestKeysOfTheBrowser(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestClipboardIsThePersons is quick")
	t.Parallel()
	p := wholePerson(t, "/form?person")
	a := newAgent(t, p.lender())
	_, page := a.open(p.site + "/popups")
	pipetest.Eventually(t, "the page is there", func() bool {
		return strings.Contains(a.does(page, "location.href + document.readyState"), "/popupscomplete")
	})
	a.does(page, "window.got = ''; addEventListener('keydown', (e) => { got += e.key })")
	before := p.tabs()
	for _, key := range []string{"T", "N", "W"} {
		for _, kind := range []string{"rawKeyDown", "keyUp"} {
			const params = `{"type":%q,"key":%q,"windowsVirtualKeyCode":%d,"nativeVirtualKeyCode":%[3]d,"modifiers":2}`
			a.works(page, "Input.dispatchKeyEvent", fmt.Sprintf(params, kind, key, key[0]), nil)
		}
	}
	pipetest.Has(t, a.does(page, "got"), `"TNW"`)
	time.Sleep(time.Second) // a tab would open by now
	if after := p.tabs(); !maps.Equal(before, after) {
		t.Errorf("the person had %v, and has %v", before, after)
	}
}
