//go:build evidence

package act_test

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestLockedForGood: an act on a page that never leaves the pointer free for long fails, and says why.
func TestLockedForGood(t *testing.T) {
	pipetest.Nightly(t, "it waits for ten seconds, and TestLockedPointerMoves is quick")
	t.Parallel()
	site := pipetest.ServePages(t, map[string]string{"/": `<button id=go onclick="document.title = 'went'">Go</button><button id=other>Other</button>
<script>let asking; setInterval(() => document.pointerLockElement || asking || (asking = document.body.requestPointerLock().catch(() => {}).then(() => asking = null)), 1)</script>`})
	p := pipetest.SharedOn(t, site)
	pipetest.Eventually(t, "it is named", func() bool { // now and then the click, or the look, comes in between
		r := p.Try("click", pipetest.List("#go"), "timeout", 10)
		return strings.Contains(r.Error, "the page has locked the pointer (requestPointerLock)")
	})
}
