package writefile

import (
	"cmp"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of a name, in bytes: what most file systems take, and what all do.
const (
	longestName  = 255
	shortestName = 60
	longestExt   = 20
)

// Name makes the name of a file of what a server or a page calls it. No part of it chooses
// a folder, hides the file or means a device, and it is not too long.
func Name(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError || strings.ContainsRune(`/\`, r) || r == filepath.Separator ||
			runtime.GOOS == "windows" && strings.ContainsRune(`<>:"|?*`, r) {
			return '_'
		}
		return r
	}, name)
	if strings.HasPrefix(name, ".") { // hidden, or a folder; Chromium replaces such names, too
		name = "_" + name[1:]
	}
	if name != "" && !filepath.IsLocal(name) {
		name = "_" + name
	}
	return numbered(cmp.Or(name, "download"), 0, longestName)
}

// numbered is the n-th name like another, of at most so many bytes: its ending stays.
func numbered(name string, n, most int) string {
	ext := filepath.Ext(name)
	if len(ext) > longestExt {
		ext = ""
	}
	stem, number := strings.TrimSuffix(name, ext), ""
	if n > 0 {
		number = fmt.Sprintf(" (%d)", n)
	}
	if room := most - len(number) - len(ext); len(stem) > room {
		for room > 0 && !utf8.RuneStart(stem[room]) {
			room--
		}
		stem = stem[:room]
	}
	return stem + number + ext
}
