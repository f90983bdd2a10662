package film

import (
	"bytes"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/at-wat/ebml-go"
)

// reel is a film that keeps what is put into it, once it may.
type reel struct {
	may   chan struct{}
	shots []shot
	ended error
	marks []mark
	fails error
}

func (r *reel) put(s shot, _ int) error {
	<-r.may
	r.shots = append(r.shots, s)
	return r.fails
}

func (r *reel) end(broken error, marks []mark) error {
	r.ended, r.marks = broken, marks
	return broken
}

// filmOn is a film of ten pictures a second, at its first place until it is moved on.
func filmOn(r *reel) (f *Film, removed *bool) {
	removed = new(bool)
	return begin(r, "film", 10, func() { *removed = true }), removed
}

// on moves a film on by places.
func (f *Film) on(places int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.begun = f.begun.Add(-time.Duration(places) * 100 * time.Millisecond)
}

// A place has the newest picture, and what was drawn over it; the last picture stays until the
// film's end.
func TestPlacesOfPictures(t *testing.T) {
	var r *reel
	var f *Film
	var removed *bool
	for one := false; !one; { // a busy machine may have taken more than one place for this
		r = &reel{may: make(chan struct{})}
		close(r.may)
		f, removed = filmOn(r)
		f.Draw(Overlay{Action: "before any picture"})
		place := f.due()
		f.Add([]byte("old"))
		f.Draw(Overlay{Action: "click"})
		f.Add([]byte("new"))
		f.on(5_000)
		f.Add([]byte("late"))
		f.Draw(Overlay{Action: "press"})
		if one = f.due() == place+5_000; !one {
			_ = f.Finish()
		}
	}
	if !f.Chapter("one") || !f.Pictured() || !f.Rolling() {
		t.Error("it does not roll")
	}
	if err := f.Finish(); err != nil || *removed || f.Rolling() {
		t.Errorf("%v, removed: %t", err, *removed)
	}
	f.Add([]byte("after the end"))
	if len(r.shots) != 3 || string(r.shots[0].jpeg) != "new" || r.shots[0].over.Action != "click" ||
		string(r.shots[1].jpeg) != "late" || r.shots[1].over.Action != "press" || r.shots[2].jpeg != nil || r.shots[2].slot <= r.shots[1].slot {
		t.Errorf("%+v", r.shots)
	}
	if len(r.marks) != 1 || r.marks[0].ms < 500_000 {
		t.Errorf("chapters %v", r.marks)
	}
	if waitingBytes.Load() != 0 || f.waits != 0 {
		t.Errorf("%d bytes wait, %d of them the film's", waitingBytes.Load(), f.waits)
	}
}

// What waits for a slow encoder has a bound, and the film its end.
func TestSlowEncoder(t *testing.T) {
	r := &reel{may: make(chan struct{})}
	f, _ := filmOn(r)
	for range 12 {
		f.Add(make([]byte, 1<<20))
		f.on(10)
	}
	f.mu.Lock()
	waits := f.waits
	f.mu.Unlock()
	if waits > maxOfOne {
		t.Errorf("%d bytes wait", waits)
	}
	close(r.may)
	if err := f.Finish(); err != nil || len(r.shots) < maxOfOne>>20 || len(r.shots) > 12 || waitingBytes.Load() != 0 {
		t.Errorf("%v: %d pictures, %d bytes wait", err, len(r.shots), waitingBytes.Load())
	}
}

// A film without a picture, or with one that can't be written, has an error and no file.
func TestBrokenFilm(t *testing.T) {
	for _, r := range []*reel{{}, {fails: errors.New("disk full")}} {
		r.may = make(chan struct{})
		close(r.may)
		f, removed := filmOn(r)
		if r.fails != nil {
			f.Add([]byte("a"))
		}
		if err := f.Finish(); err == nil || !*removed || f.Finish() != err {
			t.Errorf("%v, removed: %t", err, *removed)
		}
	}
}

// Chapters go into the space that the list of places leaves, which stays as long as it was; the
// last ones are left out where it is too small.
func TestChaptersInTheirSpace(t *testing.T) {
	list := []chapter{{1, 0, chapterDisplay{"first", "und"}}, {2, 1e9, chapterDisplay{"second", "und"}}}
	one, _ := chaptersText(list[:1])
	two, _ := chaptersText(list)
	places := []byte{0x1C, 0x53, 0xBB, 0x6B, 0x82, 0xAA, 0xBB} // with two bytes in it
	for size, want := range map[int]int{
		len(places) + len(two): 2, len(places) + len(two) + least: 2, len(places) + len(two) + 1000: 2,
		len(places) + len(two) + 1: 1, len(places) + len(two) - 1: 1, len(places) + len(one): 1,
		len(places) + len(one) - 1: 0,
	} {
		reserved := append(slices.Clone(places), make([]byte, size-len(places))...)
		got, err := withChapters(reserved, list)
		if err != nil || len(got) != size || !bytes.HasPrefix(got, places) {
			t.Errorf("%d bytes: %d, %v", size, len(got), err)
			continue
		}
		text := map[int][]byte{1: one, 2: two}[want]
		if rest := got[len(places):]; !bytes.HasPrefix(rest, text) || want > 0 && len(rest) > len(text) && rest[len(text)] != voidID {
			t.Errorf("%d bytes: not %d chapters: %x", size, want, rest)
		}
		if want > 0 && size-len(places) > len(text) {
			var void struct {
				Void []byte `ebml:"Void"`
			}
			if err := ebml.Unmarshal(bytes.NewReader(got[len(places)+len(text):]), &void); err != nil {
				t.Errorf("%d bytes: what is left: %v", size, err)
			}
		}
	}
}
