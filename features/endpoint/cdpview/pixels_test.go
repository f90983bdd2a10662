package cdpview

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// One picture, viewport or window that used all memory would end every session. A page has two pixels for one of CSS.
func TestPictureThatIsTooLarge(t *testing.T) {
	t.Parallel()
	table, err := os.ReadFile("testdata/pixels.txt") // what the last of some commands is, and the commands
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		what, rest, _ := strings.Cut(strings.TrimSpace(line), ": ")
		asks, first := strings.Split(rest, " ; "), ""
		says := []string{`{"id":1,"method":"Target.getTargets"}`,
			`{"id":2,"method":"Target.attachToTarget","params":{"targetId":"MINE-T"}}`}
		for i, ask := range asks {
			method, params, _ := strings.Cut(ask, " ")
			if i == 0 {
				first = method
			}
			says = append(says, fmt.Sprintf(`{"id":%d,"sessionId":"S4","method":%q,"params":%s}`, 3+i, method, params))
		}
		o := strict()
		o.Scale = func(string) float64 { return 2 }
		list, heard := play(t, o, says...)
		list = slices.DeleteFunc(list, func(a asked) bool {
			return a.Method != first &&
				a.Method != "Page.captureScreenshot"
		})
		if refused := what == "refused"; strings.Contains(heard, "over a limit") != refused ||
			len(list) < len(asks) != refused {
			t.Errorf("%s: %s", says[2:], heard)
		}
	}
}
