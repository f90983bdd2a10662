package cdpview

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// One picture, viewport or window that used all memory would end every session. A page has two pixels for one of CSS.
func TestPictureThatIsTooLarge(t *testing.T) {
	t.Parallel()
	const shot, size = "Page.captureScreenshot", `"width":100,"height":100`
	clip := func(members string) [2]string { return [2]string{shot, `{"clip":{` + members + `}}`} }
	drawn := func(members string) [2]string {
		return [2]string{"Emulation.setDeviceMetricsOverride", `{"mobile":false,` + members + `}`}
	}
	for _, c := range []struct {
		refused bool // the last one is
		asks    [][2]string
	}{
		{false, [][2]string{clip(`"width":1280,"height":25000,"scale":1`)}}, // a long page
		{true, [][2]string{clip(`"width":1280,"height":25001,"scale":1`)}},
		{true, [][2]string{clip(`"width":1280,"height":25000,"scale":1.1`)}},
		{true, [][2]string{clip(`"width":1280,"height":25001,"scale":0`)}},
		{true, [][2]string{drawn(size + `,"deviceScaleFactor":1`), clip(`"width":1280,"height":25001,"scale":1`)}},
		{true, [][2]string{drawn(size + `,"deviceScaleFactor":3`), clip(`"width":1280,"height":25000,"scale":1`)}},
		{false, [][2]string{drawn(size + `,"deviceScaleFactor":3`), drawn(size + `,"deviceScaleFactor":0`),
			clip(`"width":1280,"height":25000,"scale":1`)}},
		{true, [][2]string{clip(`"width":-300,"height":300,"scale":1`)}},
		{true, [][2]string{clip(`"width":1e8,"height":1e-8,"scale":1`)}},
		{true, [][2]string{clip(`"x":-1e8,"width":10,"height":10,"scale":1`)}},
		{true, [][2]string{clip(`"width":10,"height":10,"scale":-1`)}},
		{true, [][2]string{drawn(`"width":2000,"height":2000,"deviceScaleFactor":10`)}},
		{true, [][2]string{drawn(size + `,"deviceScaleFactor":-1`)}},
		{true, [][2]string{drawn(`"width":-1,"height":100,"deviceScaleFactor":1`)}},
		{true, [][2]string{drawn(size + `,"deviceScaleFactor":1,"positionX":1e8`)}},
		{true, [][2]string{drawn(size + `,"viewport":{"x":0,"y":0,"width":1e5,"height":1e5,"scale":1}`)}},
		{true, [][2]string{{"Page.setDeviceMetricsOverride", `{"width":10000000,"height":10000000}`}}},
		{true, [][2]string{{"Emulation.setVisibleSize", `{"width":20000,"height":20000}`}}},
		{true, [][2]string{{"Browser.setWindowBounds", `{"windowId":1,"bounds":{"width":20000,"height":20000}}`}}},
		{true, [][2]string{{"Browser.setContentsSize", `{"windowId":1,"width":20000,"height":20000}`}}},
		{true, [][2]string{{"Target.createTarget", `{"url":"about:blank","width":20000,"height":20000}`}}},
	} {
		says := []string{`{"id":1,"method":"Target.getTargets"}`,
			`{"id":2,"method":"Target.attachToTarget","params":{"targetId":"MINE-T"}}`}
		for i, ask := range c.asks {
			says = append(says, fmt.Sprintf(`{"id":%d,"sessionId":"S4","method":%q,"params":%s}`, 3+i, ask[0], ask[1]))
		}
		o := strict()
		o.Scale = func(string) float64 { return 2 }
		list, heard := play(t, o, says...)
		list = slices.DeleteFunc(list, func(a asked) bool { return a.Method != c.asks[0][0] && a.Method != shot })
		if strings.Contains(heard, "over a limit") != c.refused || (len(list) < len(c.asks)) != c.refused {
			t.Errorf("%s: %s", says[2:], heard)
		}
	}
}
