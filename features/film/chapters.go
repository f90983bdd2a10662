package film

import (
	"bytes"
	"math/bits"

	"github.com/at-wat/ebml-go"
)

// Bounds of the chapters of a film.
const (
	MaxChapters = 100
	MaxChapter  = 60 // characters of a name
)

// chapter is a place in a film with a name, as Matroska has it.
type chapter struct {
	UID     uint64         `ebml:"ChapterUID"`
	Start   uint64         `ebml:"ChapterTimeStart"` // in nanoseconds
	Display chapterDisplay `ebml:"ChapterDisplay"`
}

type chapterDisplay struct {
	Name     string `ebml:"ChapString"`
	Language string `ebml:"ChapLanguage"`
}

// chaptersText are chapters as an element of a file.
func chaptersText(list []chapter) ([]byte, error) {
	type edition struct {
		Atoms []chapter `ebml:"ChapterAtom"`
	}
	type chapters struct {
		Edition edition `ebml:"EditionEntry"`
	}
	var text bytes.Buffer
	err := ebml.Marshal(&struct {
		Chapters chapters `ebml:"Chapters"`
	}{chapters{edition{list}}}, &text)
	return text.Bytes(), err
}

// Elements that a file has at its start.
const (
	voidID = 0xEC
	cuesID = 0x1C // the first of four bytes
	least  = 9    // bytes of the smallest unused space
)

// withChapters puts chapters into the space that a file has for the list of its places and
// that this list has left over. So players find them without reading the file to its end.
// The last ones are left out if they don't fit.
func withChapters(reserved []byte, list []chapter) ([]byte, error) {
	used := 0
	if len(reserved) > 12 && reserved[0] == cuesID {
		width := bits.LeadingZeros8(reserved[4]) + 1
		size := uint64(reserved[4]) & (1<<(8-width) - 1)
		for _, b := range reserved[5 : 4+width] {
			size = size<<8 | uint64(b)
		}
		used = min(4+width+int(size), len(reserved))
	}
	for ; len(list) > 0; list = list[:len(list)-1] {
		text, err := chaptersText(list)
		if err != nil {
			return nil, err
		}
		left := len(reserved) - used - len(text)
		if left != 0 && left < least {
			continue
		}
		text = append(append(bytes.Clone(reserved[:used]), text...), make([]byte, left)...)
		if left > 0 {
			space := text[len(text)-left:]
			space[0], space[1] = voidID, 1 // and seven bytes of a size
			for i, rest := 0, left-least; i < 7; i, rest = i+1, rest>>8 {
				space[8-i] = byte(rest)
			}
		}
		return text, nil
	}
	return reserved, nil
}
