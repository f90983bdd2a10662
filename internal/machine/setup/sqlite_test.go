package setup

import (
	"bytes"
	"debug/elf"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The compiled stand-in for libsqlite3 is current: it has what its source
// declares and what the pinned NSS imports, and needs nothing itself.
func TestSqliteStub(t *testing.T) {
	lib, err := elf.NewFile(bytes.NewReader(sqliteStub))
	if err != nil {
		t.Fatal(err)
	}
	if name, err := lib.DynString(elf.DT_SONAME); err != nil || !slices.Equal(name, []string{sqliteLib}) {
		t.Errorf("it calls itself %q (%v)", name, err)
	}
	needs, err := lib.ImportedSymbols()
	libs, err2 := lib.ImportedLibraries()
	if err != nil || err2 != nil || len(needs)+len(libs) != 0 {
		t.Errorf("it imports %v of %v (%v, %v)", needs, libs, err, err2)
	}
	symbols, err := lib.DynamicSymbols()
	if err != nil {
		t.Fatal(err)
	}
	var has []string
	for _, s := range symbols {
		has = append(has, s.Name)
	}
	slices.Sort(has)

	source, err := os.ReadFile("sqlite/stub.c")
	if err != nil {
		t.Fatal(err)
	}
	declared := regexp.MustCompile(`\bsqlite3_\w+`).FindAllString(string(source), -1)
	slices.Sort(declared)
	if !slices.Equal(has, declared) {
		t.Errorf("it has %v; its source declares %v: build it anew, as sqlite/stub.c says", has, declared)
	}

	if !havePinned() {
		t.Skip("the pinned Chromium is for linux/amd64")
	}
	t.Setenv("PWPIPE_BROWSER", "")
	nss, err := elf.Open(filepath.Join(filepath.Dir(real(t).Executable), libDir, "libsoftokn3.so"))
	if err != nil {
		t.Fatal(err)
	}
	defer nss.Close()
	imports, err := nss.ImportedSymbols()
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for _, s := range imports {
		if strings.HasPrefix(s.Name, "sqlite3_") {
			asked++
			if !slices.Contains(has, s.Name) {
				t.Errorf("NSS imports %s, which it has not", s.Name)
			}
		}
	}
	if asked == 0 {
		t.Error("NSS imports nothing of sqlite: the stand-in can go")
	}
}
