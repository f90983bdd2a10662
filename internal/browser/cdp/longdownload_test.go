package cdp

import (
	"fmt"
	"testing"
	"time"
)

// TestLongAddressesOfDownloads: a page may download an address of 30 MB once, whoever hears of it, and
// short ones as fast as it likes. It is given up at the second long one, also if the browser is so busy
// with the first that the second comes late.
func TestLongAddressesOfDownloads(t *testing.T) {
	const long = 30 << 20
	for _, c := range []struct {
		name          string
		length, times int
		later         time.Duration // between two
		floods        bool
	}{
		{"one", long, 1, 0, false},
		{"two", long, 2, 0, true},
		{"the second comes late", long, 2, 5 * time.Second, true},
		{"long after", long, 2, time.Minute, false},
		{"ten pictures", 2 << 20, 10, 0, false},
		{"files of servers", 1 << 10, 150, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			floods := 0
			q := newLanes(func(string) { floods++ })
			sessions := []string{"driver", "script", "ours"}
			for _, session := range sessions {
				q.enter(session, "", "T", "A")
			}
			for n := range c.times {
				q.pages["T"].addresses.at = q.pages["T"].addresses.at.Add(-c.later)
				for _, session := range sessions {
					q.heard(session, fmt.Appendf(nil, `{"method":"Page.downloadWillBegin","params":{"frameId":"%032d","guid":"%036d",`+
						`"url":"data:,"},"sessionId":"%s"}`, 1, n, session), c.length)
				}
			}
			if (floods > 0) != c.floods {
				t.Errorf("given up %d times", floods)
			}
		})
	}
}
