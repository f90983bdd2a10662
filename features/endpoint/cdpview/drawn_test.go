package cdpview

import (
	"fmt"
	"testing"
)

// TestPageIsDrawnForItsPicture: while a picture of a page is late, the page is filmed, on
// a session that the client does not see.
func TestPageIsDrawnForItsPicture(t *testing.T) {
	t.Parallel()
	root, b := startChromium(t)
	s, left := stay(root, strict())
	mute := func(method string) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.mute = method
	}
	const own = "S4"
	mute("Page.captureScreenshot")
	s.add(`{"id":1,"method":"Target.getTargets"}`, `{"id":2,"method":"Target.attachToTarget","params":{"targetId":"MINE-T"}}`)
	s.mu.Lock()
	for s.replies < 2 {
		s.change.Wait()
	}
	s.mu.Unlock()
	s.add(`{"id":3,"sessionId":"S4","method":"Page.captureScreenshot"}`)
	picture := <-b.muted
	mute("Page.startScreencast")
	film := <-b.muted
	mute("Target.detachFromTarget")
	if picture.Session != own || film.Session == own {
		t.Errorf("the picture is asked for on %s, the film on %s; the client has %s", picture.Session, film.Session, own)
	}
	b.says <- fmt.Sprintf(`{"id":%d,"result":{},"sessionId":"%s"}`, picture.ID, own)
	if end := <-b.muted; string(end.Params) != `{"sessionId":"`+film.Session+`"}` {
		t.Errorf("what ends is %s", end.Params)
	}
	mute("")
	s.end()
	if err := <-left; err != nil {
		t.Error(err)
	}
}
