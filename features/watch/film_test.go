//go:build evidence

package watch_test

import (
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestFilmPlays: a person films a page, and the film plays in the same place.
func TestFilmPlays(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestVideoChapters of tests/eachtool is quick")
	t.Parallel()
	s := pipetest.StartService(t, "OPERATOR_KEY="+operator)
	own := s.Open(nil)
	paint(own, "rgb(200,0,0)")
	p := person{pipetest.Start(t), s.URL}
	p.login(operator)
	p.Call("click", m{"sel": "#sessions a"})
	p.Call("click", m{"sel": "#record-film"})
	p.until("document.querySelector('#record-film').getAttribute('aria-pressed') === 'true'")
	paint(own, "rgb(0,0,200)")
	p.shows(0, 0, 200)
	for _, call := range []string{"video-start", "video-stop"} { // calls can't change a person's film
		r := s.Try(call, own.With(m{}))
		if call == "video-start" {
			r = s.Try(call, own.With(m{"path": filepath.Join(t.TempDir(), "calls")}))
		}
		if r.Error == nil || !strings.Contains(r.Error.Message, "a person films this page") {
			t.Errorf("%s: %v", call, r.Error)
		}
	}
	p.Call("click", m{"sel": "#record-film"})
	p.until("document.querySelector('#films video').ended")
	p.picture("film")
	axe(t, p)
	if got := p.eval("((v) => [v.videoWidth, v.videoHeight, document.querySelector('#films a').download])(document.querySelector('#films video'))"); got != `[1280,800,"film.webm"]` {
		t.Errorf("the film is %s", got)
	}
	for at, colour := range map[string]string{"0": "[200,0,0]", "v.duration": "[0,0,200]"} {
		p.eval("((v) => { v.currentTime = " + at + "; })(document.querySelector('#films video'))")
		p.until(`((v, c) => {
			const brush = new OffscreenCanvas(1, 1).getContext('2d');
			brush.drawImage(v, v.videoWidth / 2, v.videoHeight / 2, 1, 1, 0, 0, 1, 1);
			return !v.seeking && brush.getImageData(0, 0, 1, 1).data.slice(0, 3).every((n, i) => Math.abs(n - c[i]) < 40);
		})(document.querySelector('#films video'), ` + colour + `)`)
	}
	p.Call("click", m{"sel": "#films button"})
	p.until("!document.querySelector('#films video')")

	// A film that a call recorded is played, too.
	own.On("video-start", m{"path": filepath.Join(t.TempDir(), "made")})
	paint(own, "rgb(0,200,0)")
	own.On("video-stop", nil)
	p.until("document.querySelector('#made button').textContent.startsWith('Play made.webm, p1, ')")
	p.Call("click", m{"sel": "#made button"})
	p.until("document.querySelector('#films video').ended")
}
