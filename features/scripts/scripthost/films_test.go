package scripthost

import (
	"bytes"
	"image"
	"image/jpeg"
	"testing"
)

// TestDrawable: a film takes no picture for which a renderer would need gigabytes.
func TestDrawable(t *testing.T) {
	var small bytes.Buffer
	if err := jpeg.Encode(&small, image.NewGray(image.Rect(0, 0, 8, 8)), nil); err != nil {
		t.Fatal(err)
	}
	huge := bytes.Clone(small.Bytes())
	head := bytes.Index(huge, []byte{0xff, 0xc0}) // the frame header: height and width follow after 5 bytes
	copy(huge[head+5:], []byte{0xff, 0xff, 0xff, 0xff})
	for name, c := range map[string]struct {
		picture []byte
		want    bool
	}{"small": {small.Bytes(), true}, "huge": {huge, false}, "none": {nil, false}, "no picture": {[]byte("GIF89a"), false}} {
		if got := drawable(c.picture); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestFilmsAreCounted: a film counts until it ends, and only a few may be in the
// process's own folder.
func TestFilmsAreCounted(t *testing.T) {
	f := &films{counted: map[*countedFilm]bool{}}
	var taken []*countedFilm
	for range maxInOwn {
		c := &countedFilm{of: f, area: 100, inOwn: true}
		if !f.take(c) {
			t.Fatal("there is room")
		}
		taken = append(taken, c)
	}
	if f.take(&countedFilm{of: f, inOwn: true}) || f.take(&countedFilm{of: f, area: maxFilmed}) {
		t.Error("more than there is room for")
	}
	if !f.take(&countedFilm{of: f, area: 100}) {
		t.Error("one elsewhere has room")
	}
	f.give(taken[0])
	if !f.take(&countedFilm{of: f, area: 100, inOwn: true}) {
		t.Error("one has ended")
	}
}
