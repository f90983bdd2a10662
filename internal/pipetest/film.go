package pipetest

import "testing"

// playFilm plays /film.webm to its end, and reads a pixel in the middle of the left
// side ten times a second.
const playFilm = `(async () => {
	const file = await (await fetch('/film.webm')).blob();
	const video = Object.assign(document.createElement('video'), { muted: true, playbackRate: 8, src: URL.createObjectURL(new Blob([file], { type: 'video/webm' })) });
	const when = (event) => new Promise((done, fail) => { video.addEventListener(event, done, { once: true }); video.addEventListener('error', () => fail(video.error), { once: true }); });
	const ends = when('ended');
	await video.play();
	await ends;
	const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight), brush = canvas.getContext('2d'), seen = [];
	for (let at = 0; at <= video.duration; at += 0.1) {
		// The picture may come a moment after the event.
		const drawn = new Promise((done) => { video.requestVideoFrameCallback(done); setTimeout(done, 200); });
		const there = when('seeked');
		video.currentTime = at;
		await there;
		await drawn;
		brush.drawImage(video, 0, 0);
		const [r, g, b] = brush.getImageData(Math.round(canvas.width / 20), Math.round(canvas.height / 2), 1, 1).data;
		seen.push(r > 150 && g < 90 && b < 90 ? 'red' : b > 150 && r < 90 && g < 90 ? 'blue' : g > 90 && r < 90 && b < 90 ? 'green' : r > 220 && g > 220 && b > 220 ? 'white' : [r, g, b].join());
	}
	return { width: video.videoWidth, height: video.videoHeight, seconds: video.duration, colours: seen.filter((c, i) => c !== seen[i - 1]).join(' ') };
})()`

// Played is a browser's report on a film.
type Played struct {
	Width, Height float64
	Seconds       float64
	Colours       string // of its left side, one after another
}

// PlayFilm plays a WebM file in a browser to its end, and returns the background colours
// that it shows.
func PlayFilm(t testing.TB, path string) Played {
	t.Helper()
	p := Shared(t)
	p.Call("nav", Object{"url": "/form"})
	p.Call("route", Object{"pattern": "**/film.webm", "handler": Object{"path": path, "contentType": "video/webm"}})
	played := Get[Played](p, "eval", Object{"code": playFilm}, "timeout", 300)
	p.Call("unroute", Object{"pattern": "**/film.webm"})
	return played
}
