//go:build evidence

package lend

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestScriptsInFramesOfSites: the barrier lets scripts run where a site's frame has no origin.
func TestScriptsInFramesOfSites(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestNothingButLentTabs is quick")
	t.Parallel()
	p := newPerson(t)
	lent := p.tab(p.site + "/form?lent")
	a := newAgent(t, p.lender(), "?lent")
	session := a.attach(lent)
	for _, domain := range []string{"Page", "Runtime"} {
		a.works(session, domain+".enable", "{}", nil)
	}
	a.works(session, "Page.addScriptToEvaluateOnNewDocument", `{"source":"top.postMessage(origin + location.protocol, '*')"}`, nil)
	hands := p.hands(lent)
	p.goes(hands, p.site+"/form?again")
	for _, frame := range []string{"<iframe sandbox=allow-scripts srcdoc=x>", "<iframe src='data:text/html,x'>"} {
		p.sees(hands, "top.got = []; onmessage = (e) => got.push(e.data); document.body.insertAdjacentHTML('beforeend', `"+frame+"</iframe>`); ''")
		pipetest.Eventually(t, frame, func() bool {
			return strings.Contains(p.sees(hands, "got.join()"), "null")
		})
	}
}
