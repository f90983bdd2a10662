package act_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestLockedPointerMoves: a script's mouse plays a game that has locked the pointer.
func TestLockedPointerMoves(t *testing.T) {
	pipetest.InCI(t, "it is long, and the transcript pointer is quick")
	t.Parallel()
	site := pipetest.ServePages(t, map[string]string{"/": `<p id=at>0</p><script>
onclick = () => asked = document.body.requestPointerLock().then(() => 'locked', (e) => e.name);
onmousemove = (e) => { if (document.pointerLockElement) at.textContent = +at.textContent + e.movementX; };
</script>`})
	p := pipetest.SharedOn(t, site)
	pipetest.Eventually(t, "the pointer is locked", func() bool {
		p.Call("mouse-click", pipetest.List(100, 100), "timeout", 60)
		return p.Text("eval", pipetest.List("asked")) == "locked"
	})
	p.Call("execute", pipetest.List("const { x } = { x: 100 }; for (let i = 1; i <= 5; i++) await page.mouse.move(x + 10 * i, 100);"), "timeout", 60)
	pipetest.Eventually(t, "the page saw the moves", func() bool { return p.Text("txt", pipetest.List("#at")) == "50" })
}
