package act_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestLockedInAFrame: a click reaches its element though a frame has locked the pointer, with the focus or without.
func TestLockedInAFrame(t *testing.T) {
	pipetest.InCI(t, "it is long, and the transcript pointer is quick")
	t.Parallel()
	site := pipetest.ServePages(t, map[string]string{
		"/":     `<button id=go onclick="document.title = 'went'">Go</button><iframe src="/game" width=300 height=200></iframe>`,
		"/game": `<button id=lock onclick="document.body.requestPointerLock().catch(() => {})">Lock</button>`,
	})
	p := pipetest.SharedOn(t, site)
	lock := func() {
		pipetest.Eventually(t, "the pointer is locked", func() bool { // the browser refuses it now and then
			p.Call("click", pipetest.List("iframe >> internal:control=enter-frame >> #lock"), "timeout", 60)
			return p.Call("eval", pipetest.List("!!frames[0].document.pointerLockElement")) == "true"
		})
	}
	lock()
	pipetest.Steps(p,
		pipetest.Does("click", pipetest.List("#go"), "null"),
		pipetest.Does("title", nil, `"went"`),
	)
	lock()
	pipetest.Steps(p,
		pipetest.Does("eval", pipetest.List("document.title = ''; go.focus()"), "null"),
		pipetest.Does("click", pipetest.List("#go"), "null"),
		pipetest.Does("title", nil, `"went"`),
	)
}
