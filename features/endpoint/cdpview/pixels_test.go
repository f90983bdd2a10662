package cdpview

import (
	"strings"
	"testing"
)

// One picture, viewport or window that used all memory would end every session.
func TestPictureThatIsTooLarge(t *testing.T) {
	t.Parallel()
	for method, params := range map[string]string{
		"Page.captureScreenshot":             `{"clip":{"x":0,"y":0,"width":20000,"height":20000,"scale":1}}`,
		"Emulation.setDeviceMetricsOverride": `{"width":2000,"height":2000,"deviceScaleFactor":10,"mobile":false}`,
		"Page.setDeviceMetricsOverride":      `{"width":10000000,"height":10000000}`,
		"Emulation.setVisibleSize":           `{"width":20000,"height":20000}`,
		"Browser.setWindowBounds":            `{"windowId":1,"bounds":{"width":20000,"height":20000}}`,
		"Browser.setContentsSize":            `{"windowId":1,"width":20000,"height":20000}`,
		"Target.createTarget":                `{"url":"about:blank","width":20000,"height":20000}`,
	} {
		list, heard := play(t, strict(), `{"id":1,"method":"Target.getTargets"}`, `{"id":2,"method":"Target.attachToTarget","params":{"targetId":"MINE-T"}}`,
			`{"id":3,"sessionId":"S4","method":"`+method+`","params":`+params+`}`)
		if !strings.Contains(heard, "over a limit") || list[len(list)-1].Method == method {
			t.Errorf("%s: %s", method, heard)
		}
	}
	_, heard := play(t, strict(), `{"id":1,"method":"Target.getTargets"}`, `{"id":2,"method":"Target.attachToTarget","params":{"targetId":"MINE-T"}}`,
		`{"id":3,"sessionId":"S4","method":"Page.captureScreenshot","params":{"clip":{"x":0,"y":0,"width":1280,"height":40000,"scale":1}}}`)
	if !strings.Contains(heard, `"id":3,"result"`) {
		t.Errorf("a long page: %s", heard)
	}
}
