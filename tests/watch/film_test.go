package watch

import (
	"path/filepath"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestFilmPlays: a person films a page, and sees the film where they filmed it.
func TestFilmPlays(t *testing.T) {
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
	p.Call("click", m{"sel": "#record-film"})
	p.until("document.querySelector('#films video').ended")
	p.picture("film")
	axe(t, p)
	got := p.eval(`(async () => {
		const video = document.querySelector('#films video'), canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight), brush = canvas.getContext('2d'), seen = [];
		for (const at of [0, video.duration]) {
			await new Promise((done) => { video.onseeked = done; video.currentTime = at; });
			brush.drawImage(video, 0, 0);
			const [r, g, b] = brush.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data;
			seen.push([r > 150, g > 50, b > 150]);
		}
		return [video.videoWidth, video.videoHeight, seen, document.querySelector('#films a').download];
	})()`)
	if got != `[1280,800,[[true,false,false],[false,false,true]],"film.webm"]` {
		t.Errorf("the film is %s", got)
	}
	p.Call("click", m{"sel": "#films button"})
	p.until("!document.querySelector('#films video')")

	// A film that a call made is played, too.
	own.On("video-start", m{"path": filepath.Join(t.TempDir(), "made")})
	paint(own, "rgb(0,200,0)")
	own.On("video-stop", nil)
	p.until("document.querySelector('#made button').textContent.startsWith('Play made.webm, p1, ')")
	p.Call("click", m{"sel": "#made button"})
	p.until("document.querySelector('#films video').ended")
}
