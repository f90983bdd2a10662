package pipetest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image/color"
	"image/jpeg"
	"slices"
	"strings"
	"testing"
)

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
	return [video.videoWidth, video.videoHeight, video.duration, seen.filter((c, i) => c !== seen[i - 1]).join(' ')];
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
	r := Decode[[4]any](t, p.Call("eval", Object{"code": playFilm}, "timeout", 60))
	p.Call("unroute", Object{"pattern": "**/film.webm"})
	return Played{r[0].(float64), r[1].(float64), r[2].(float64), r[3].(string)}
}

// AVIColours names the colour in the middle of each picture of a film of 200 by 150.
// The film must be an AVI file of Motion JPEG with a complete index.
func AVIColours(t testing.TB, avi []byte) string {
	t.Helper()
	var names []string
	u32 := func(at int) int { return int(binary.LittleEndian.Uint32(avi[at:])) }
	const movie = 220 // the place of "movi"
	if len(avi) < movie+4 || string(avi[:4])+string(avi[8:12])+string(avi[movie:movie+4]) != "RIFFAVI movi" || u32(4) != len(avi)-8 {
		t.Fatalf("%d bytes, %.300q", len(avi), avi)
	}
	index := movie + u32(movie-4)
	if string(avi[index:index+4]) != "idx1" || u32(index+4) != len(avi)-index-8 || u32(index+4) != 16*u32(48) {
		t.Fatalf("no index of %d pictures: %q", u32(48), avi[index:min(len(avi), index+40)])
	}
	for at := index + 8; at < len(avi); at += 16 {
		chunk, size := movie+u32(at+8), u32(at+12)
		if string(avi[chunk:chunk+4]) != "00dc" || u32(chunk+4) != size {
			t.Fatalf("no picture at %d: %q", chunk, avi[chunk:chunk+8])
		}
		if size == 0 { // the previous picture stays
			names = append(names, names[len(names)-1])
			continue
		}
		picture, err := jpeg.Decode(bytes.NewReader(avi[chunk+8 : chunk+8+size]))
		if err != nil {
			t.Fatal(err)
		}
		if b := picture.Bounds(); b.Dx() != u32(64) || b.Dy() != u32(68) || b.Dx() != 200 {
			t.Errorf("a picture of %v in a film of %d x %d", b, u32(64), u32(68))
		}
		names = append(names, nameOf(color.RGBAModel.Convert(picture.At(100, 75)).(color.RGBA)))
	}
	return strings.Join(slices.Compact(names), " ")
}

func nameOf(c color.RGBA) string {
	for name, is := range map[string]bool{"red": c.R > 150 && c.G < 60 && c.B < 60, "green": c.G > 150 && c.R < 60 && c.B < 60, "blue": c.B > 150 && c.R < 60 && c.G < 60} {
		if is {
			return name
		}
	}
	return fmt.Sprint(c)
}
