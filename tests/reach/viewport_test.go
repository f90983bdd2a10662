//go:build evidence

package reach

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// A viewport set after a device stays for later documents in any browser. The device's
// size used to come back with the next document.
func TestViewportAfterDevice(t *testing.T) {
	pipetest.Nightly(t, "it is long, and the transcript looks is quick")
	t.Parallel()
	const asWide = "<meta name=viewport content='width=device-width'>" // as wide as the device: else the page is laid out for large screens
	site := pipetest.ServePages(t, map[string]string{"/": asWide + "<h1>here</h1>", "/two": asWide + "<h1>two</h1>"})
	for name, args := range map[string][]string{"own": nil, "cdp": cdp(startChrome(t, "0")), "ws": {"--ws", startServer(t)}} {
		p := pipetest.Start(t, append(args, "--base-url", site)...)
		p.Call("nav", []any{"/"})
		p.Call("device", []any{"Pixel 7"})
		p.Call("viewport", []any{700, 500})
		for _, path := range []string{"/two", "/"} {
			p.Call("nav", []any{path})
			if got := p.Call("eval", []any{"[innerWidth, innerHeight, devicePixelRatio].join()"}); got != `"700,500,2.625"` {
				t.Errorf("%s: at %s: %s", name, path, got)
			}
		}
		p.Call("device", []any{"Pixel 7 landscape"})
		if got := p.Call("eval", []any{"innerWidth > 800"}); got != "true" {
			t.Errorf("%s: another device: %s", name, got)
		}
	}
}
