package lend

import (
	"fmt"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestNothingIsLeftOpen: an agent that ends leaves no tab that it had asked for and not been told
// of, and none that its pages open meanwhile.
func TestNothingIsLeftOpen(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestGivenBack is quick")
	t.Parallel()
	p := newPerson(t)
	l := p.lender()
	before := len(p.tabs())
	for i := range 5 {
		a := newAgent(t, l)
		_, page := a.open(p.site + "/popups?own")
		m := fmt.Sprintf(`{"id":1000,"method":"Target.createTarget","params":{"url":"%s/form?own-%d"}}`, p.site, i)
		_, _ = a.w.Write([]byte(m + "\x00"))
		const params = `{"expression":"open('/shadow?own-%d', '_blank', '%s')","userGesture":true}`
		for n := range 30 {
			m := fmt.Sprintf(`{"id":%d,"method":"Runtime.evaluate","params":%s,"sessionId":%q}`, 1001+n,
				fmt.Sprintf(params, n, []string{"", "noopener"}[n%2]), page)
			_, _ = a.w.Write([]byte(m + "\x00"))
		}
		_ = a.w.Close()
	}
	pipetest.Eventually(t, "the last one has ended", func() bool {
		l.holding.Lock()
		defer l.holding.Unlock()
		return len(l.agents) == 0 && len(l.holders) == 0
	})
	if left := p.tabs(); len(left) != before || strings.Contains(fmt.Sprint(left), "?own") {
		t.Errorf("left open are %v", left)
	}
}
