// Package pictures makes the pictures of README and docs from the product itself, and checks
// that they are small and have words for those who don't see them.
package pictures

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

func TestMain(m *testing.M) { pipetest.Main(m) }

const (
	images  = "../../docs/images"
	largest = 150_000 // bytes of a picture
)

// TestPictures: each picture is small, and is shown somewhere with an alt text; each that a page
// shows is there.
func TestPictures(t *testing.T) {
	shown := map[string]bool{}
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`<img [^>]+>|!\[[^\]]*\]\([^)]*\)|<source [^>]+>`).FindAllString(string(text), -1) {
			alt := regexp.MustCompile(`^!\[(.*)\]\(|alt="([^"]*)"`).FindStringSubmatch(m)
			file := regexp.MustCompile(`\]\(([^)]*)\)|src(?:set)?="([^"]*)"`).FindStringSubmatch(m)
			if file == nil {
				t.Errorf("%s: no file in %s", page, m)
				continue
			}
			if !strings.HasPrefix(m, "<source") && (alt == nil || len(alt[1]+alt[2]) < 40) {
				t.Errorf("%s: say in the alt text of %s what it shows", page, m)
			}
			name := filepath.Join(filepath.Dir(page), file[1]+file[2])
			if rel, err := filepath.Rel(images, name); err == nil && filepath.IsLocal(rel) {
				shown[rel] = true
			}
			if _, err := os.Stat(name); err != nil {
				t.Error(err)
			}
		}
	}
	files, err := os.ReadDir(images)
	if err != nil || len(files) < 7 {
		t.Fatalf("%d pictures, %v", len(files), err)
	}
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			t.Fatal(err)
		}
		if info.Size() > largest {
			t.Errorf("%s has %d bytes, of %d at most", f.Name(), info.Size(), largest)
		}
		if !shown[f.Name()] {
			t.Errorf("no page shows %s", f.Name())
		}
	}
}

// pages are README.md and the pages of docs.
func pages(t *testing.T) (list []string) {
	t.Helper()
	err := filepath.WalkDir("../../docs", func(path string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".md" {
			list = append(list, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return append(list, "../../README.md")
}
