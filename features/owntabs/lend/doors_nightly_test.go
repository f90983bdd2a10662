//go:build evidence

package lend

import (
	"fmt"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestZoomIsThePersons: no tab of the person's is scaled after it was lent, and a key and the wheel
// zoom no site.
func TestZoomIsThePersons(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestNothingButLentTabs is quick")
	t.Parallel()
	p := newPerson(t)
	lent := p.tab(p.site + "/form?lent")
	hands := p.hands(lent)
	p.waitsFor(hands, "lent")
	a := newAgent(t, p.lender(), "?lent")
	page := a.attach(lent)
	const two = `"touchPoints":[{"x":100,"y":%d,"id":0},{"x":100,"y":%d,"id":1}]`
	a.refuses(page, "Input.dispatchTouchEvent", fmt.Sprintf(`{"type":"touchStart",`+two+`}`, 100, 120))
	a.refuses(page, "Input.dispatchTouchEvent", fmt.Sprintf(`{"type":"touchMove",`+two+`}`, 50, 300))
	a.works(page, "Input.dispatchTouchEvent", `{"type":"touchStart","touchPoints":[{"x":9,"y":9}]}`, nil)
	a.works(page, "Input.dispatchTouchEvent", `{"type":"touchEnd","touchPoints":[]}`, nil)
	a.refuses(page, "Input.synthesizePinchGesture", `{"x":100,"y":100,"scaleFactor":2}`)
	a.refuses(page, "Emulation.setPageScaleFactor", `{"pageScaleFactor":3}`)
	a.refuses(page, "Emulation.setEmitTouchEventsForMouse", `{"enabled":true}`)
	a.does(page, "addEventListener('wheel', (e) => { globalThis.turned = e.ctrlKey })")
	a.works(page, "Input.dispatchMouseEvent", `{"type":"mouseWheel","x":9,"y":9,"deltaX":0,"deltaY":-120,"modifiers":2}`, nil)
	pipetest.Eventually(t, "the wheel has turned", func() bool { return strings.Contains(a.does(page, "turned"), `"value":false`) })
	a.works(page, "Page.close", "{}", nil)
	if got := p.sees(hands, "visualViewport.scale + ' ' + devicePixelRatio"); got != "1 1" {
		t.Errorf("scales: %s", got)
	}
	var made struct{ BrowserContextID, TargetID string }
	a.works("", "Target.createBrowserContext", `{}`, &made)
	a.works("", "Target.createTarget", fmt.Sprintf(`{"url":"about:blank","browserContextId":%q}`, made.BrowserContextID), &made)
	a.works(a.attach(made.TargetID), "Emulation.setPageScaleFactor", `{"pageScaleFactor":2}`, nil)
}
