package record

import (
	"path/filepath"
	"strings"
	"unicode/utf8"

	"pwpipe/handlers/film"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

type chapterParams struct {
	Name string `json:"name" secrets:"no" doc:"at most 60 characters"`
}

// videoChapter is screencast.showChapter, in the film alone: the page has no part in it.
func videoChapter(c *tool.Call, in chapterParams) error {
	name := tool.Plain(in.Name)
	if n := utf8.RuneCountInString(name); n == 0 || n > film.MaxChapter {
		return provider.Errorf(provider.KindArgs, "name: expected 1 to %d characters, got %d", film.MaxChapter, n)
	}
	own := filmed.Of(c.Page)
	own.turning.Lock()
	defer own.turning.Unlock()
	v := own.video
	switch {
	case v == nil || !v.Rolling():
		return notFilmed()
	case v.own:
		return personFilms()
	case !strings.EqualFold(filepath.Ext(v.Path), ".webm"):
		return provider.Errorf(provider.KindFailed, "an .avi film has no chapters").
			WithHint("video-start makes .webm too")
	case !v.Chapter(name):
		return provider.Errorf(provider.KindLimit, "the film has %d chapters, which are the most", film.MaxChapters)
	}
	v.overlay.showChapter(name)
	return nil
}

func notFilmed() error {
	return provider.Errorf(provider.KindFailed, "the page is not being filmed").WithHint("video-start begins it")
}
