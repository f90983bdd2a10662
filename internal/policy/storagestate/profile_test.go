package storagestate

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Chromium names the folder of a database by its origin. Only sites of http and https are
// visited, and none within another site.
func TestOriginsOfDatabases(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{
		"https_shop.example_0.indexeddb.leveldb", "http_127.0.0.1_8080.indexeddb.leveldb", "https_under_score.example_444.indexeddb.leveldb",
		"https_shop.example_0.indexeddb.blob", "file__0.indexeddb.leveldb", "chrome-extension_abc_0.indexeddb.leveldb", "https_0.indexeddb.leveldb", "x",
	} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"http://127.0.0.1:8080", "https://shop.example", "https://under_score.example:444"}
	if got := originsOfDatabases(dir); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestOriginOf(t *testing.T) {
	for text, want := range map[string]string{
		"https://shop.example": "https://shop.example", "http://[::1]:80/": "http://[::1]:80",
		"https://shop.example/^0https://other.example": "", "https://u:p@shop.example": "", "https://shop.example/x": "",
		"javascript:alert(1)": "", "file:///": "", "https://": "", "": "",
	} {
		if got := originOf(text); got != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}
