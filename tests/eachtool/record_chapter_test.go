//go:build evidence

package eachtool_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/at-wat/ebml-go"

	"pwpipe/internal/pipetest"
)

// chaptered is what a test reads of a film's file.
type chaptered struct {
	Segment struct {
		Chapters struct {
			Edition struct {
				Atoms []struct {
					Start   uint64 `ebml:"ChapterTimeStart"`
					Display struct {
						Name string `ebml:"ChapString"`
					} `ebml:"ChapterDisplay"`
				} `ebml:"ChapterAtom"`
			} `ebml:"EditionEntry"`
		} `ebml:"Chapters"`
	} `ebml:"Segment"`
}

// TestVideoActs: a film shows the pointer and what is done, if it is asked to.
func TestVideoActs(t *testing.T) {
	pipetest.Nightly(t, "it is long, and about films alone")
	t.Parallel()
	p, dir := pipetest.SharedIn(t)
	in := func(name string) string { return filepath.Join(dir, name) }
	film := func(name string, acts bool, step pipetest.Step) string {
		pipetest.Steps(p, does("video-start", pipetest.Object{"path": in(name), "acts": acts}, ""))
		p.Fail("wait", list("#none"), "timeout", 0.6)
		pipetest.Steps(p, step)
		p.Fail("wait", list("#none"), "timeout", 0.6)
		p.Call("video-stop", nil)
		return name
	}
	pipetest.Steps(p,
		does("nav", list("data:text/html,<title>Acts</title><body style='background:rgb(200,0,0)'>"+
			"<button style='position:fixed;left:64px;top:360px;transform:translate(-50%25,-50%25);opacity:0'>"+
			"Pay now</button>"), "null"),
		does("video-start", pipetest.Object{"path": in("acts.avi"), "acts": true},
			"!acts: only a .webm film shows the acts"))
	films := map[string]bool{
		film("none.webm", false, does("click", list("button"), "null")):      false,
		film("click.webm", true, does("click", list("button"), "null")):      true, // from the browser itself
		film("mouse.webm", true, does("hover", list("button"), "null")):      true, // through the driver
		film("keys.webm", true, does("key-down", list("x"), "null")):         false,
		film("point.webm", true, does("mouse-move", list(60, 356), "null")):  true,
		film("elsewhere.webm", true, does("mouse-move", list(600, 356), "")): false,
	}
	pipetest.Steps(p, does("viewport", list(200, 40), "null"))
	// The words of this one reach the left side.
	press := pipetest.Object{"key": "a", "sel": "body:not(.none):not(.nobody)"}
	films[film("label.webm", true, does("press", press, "null"))] = true
	for name, drawn := range films {
		got := pipetest.PlayFilm(t, in(name))
		if (got.Colours != "red") != drawn || !strings.HasPrefix(got.Colours, "red") {
			t.Errorf("%s shows %s", name, got.Colours)
		}
	}
}

// TestVideoChapters: a film has its chapters where players look for them, and shows their names.
func TestVideoChapters(t *testing.T) {
	pipetest.Nightly(t, "it is long, and about chapters of films alone")
	t.Parallel()
	p, dir := pipetest.SharedIn(t)
	in := func(name string) string { return filepath.Join(dir, name) }
	pipetest.Steps(p,
		does("nav", list("data:text/html,<body style='background:rgb(200,0,0)'>"), "null"),
		does("video-chapter", list("early"), "!the page is not being filmed; video-start begins it"),
		does("video-start", list(in("plain.avi")), ""),
		does("video-chapter", list("none"), "!an .avi film has no chapters"),
		does("video-stop", nil, ""),
		does("video-start", list(in("film")), ""),
		does("video-chapter", list("  "), "!name: expected 1 to 60 characters, got 0"),
		does("video-chapter", list(strings.Repeat("x", 61)), "!got 61"),
		does("eval", list("new Promise((done) => setTimeout(done, 500, 1))"), "1"),
		does("video-chapter", list("Log \x1b \u202e in"), "null"),
		does("eval", list("document.querySelectorAll('*').length"), "3"), // the page has no part in it
		does("eval", list("new Promise((done) => setTimeout(done, 2500, 1))"), "1"),
	)
	for n := range 99 {
		p.Call("video-chapter", list(fmt.Sprintf("%d %s", n, strings.Repeat("é", 50))))
	}
	p.Complains("the film has 100 chapters, which are the most", "video-chapter", list("more"))
	p.Call("video-stop", nil)
	text, err := os.ReadFile(in("film.webm"))
	if err != nil {
		t.Fatal(err)
	}
	var got chaptered
	if err := ebml.Unmarshal(bytes.NewReader(text), &got, ebml.WithIgnoreUnknown(true)); err != nil {
		t.Fatal(err)
	}
	list := got.Segment.Chapters.Edition.Atoms
	if len(list) != 100 || list[0].Display.Name != "Log in" || list[0].Start == 0 || list[1].Start <= list[0].Start {
		t.Errorf("%d chapters: %.200v", len(list), list)
	}
	film := pipetest.PlayFilm(t, in("film.webm"))
	colours := strings.Fields(film.Colours)
	if film.Seconds < 3 || len(colours) < 3 || colours[0] != "red" || colours[1] == "red" || colours[2] != "red" {
		t.Errorf("the film shows %+v", film)
	}
}
