package agent

import (
	"net/url"
	"sync"

	"pwpipe/handlers/browser"
)

// otherHosts are the hosts other than its own whose failed requests a page has told.
type otherHosts struct {
	mu   sync.Mutex
	told map[string]bool
}

var failuresOf browser.State[*browser.Page, otherHosts]

// maxOtherHosts bounds them; further ones are not told.
const maxOtherHosts = 100

// isUntold reports whether a failed request is told: each of the page's own host, and the first of each
// other one, such as a service that counts visits and is blocked with every act.
func isUntold(p *browser.Page, address string) bool {
	to, err := url.Parse(address)
	at, errAt := url.Parse(p.PW.URL())
	if err != nil || errAt != nil || to.Hostname() == at.Hostname() {
		return true
	}
	hosts := failuresOf.Of(p)
	hosts.mu.Lock()
	defer hosts.mu.Unlock()
	if hosts.told[to.Hostname()] || len(hosts.told) >= maxOtherHosts {
		return false
	}
	if hosts.told == nil {
		hosts.told = map[string]bool{}
	}
	hosts.told[to.Hostname()] = true
	return true
}
