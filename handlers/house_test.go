package handlers_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pwpipe/features"
)

var (
	reQuoted   = regexp.MustCompile("`([\\w./-]+)`")
	reIsFile   = regexp.MustCompile(`^[\w./-]+\.(go|js|cjs|txt)$`)
	reNameIn   = regexp.MustCompile("((?:`\\w+`(?:, | and ))*`\\w+`) in `([\\w./-]+\\.(?:go|js|cjs))`")
	reToolGrep = regexp.MustCompile(`grep -rnE --include=\*\.go '([^']*)"scroll"' handlers features`)
)

// TestHouseLeadsToFiles: the files that docs/house.md names are there, and so is what it says is in one. A name
// without a folder is a file of a folder that the line has named before.
func TestHouseLeadsToFiles(t *testing.T) {
	find := func(name string, folders []string) string {
		for _, folder := range slices.Backward(folders) {
			file := path.Join(folder, name)
			if info, err := os.Stat(filepath.Join("..", file)); err == nil && !info.IsDir() {
				return file
			}
		}
		return ""
	}
	count := 0
	for line := range strings.Lines(readHouse(t)) {
		folders, files := []string{"."}, map[string]string{}
		for _, m := range reQuoted.FindAllStringSubmatch(line, -1) {
			name := m[1]
			if info, err := os.Stat(filepath.Join("..", name)); err == nil && info.IsDir() {
				folders = append(folders, name)
			}
			if !reIsFile.MatchString(name) {
				continue
			}
			count++
			file := find(name, folders)
			if file == "" {
				t.Errorf("docs/house.md names %s, which is not there: %.120s", name, line)
				continue
			}
			files[name] = file
			folders = append(folders, path.Dir(file))
		}
		for _, m := range reNameIn.FindAllStringSubmatch(line, -1) {
			file := files[m[2]]
			if file == "" {
				continue // reported above
			}
			text := readFile(t, filepath.Join("..", file))
			for _, name := range reQuoted.FindAllStringSubmatch(m[1], -1) {
				if !strings.Contains(text, name[1]) {
					t.Errorf("docs/house.md says that %s is in %s, which has no such name", name[1], file)
				}
			}
		}
	}
	if count < 200 {
		t.Errorf("only %d files were found in docs/house.md", count)
	}
}

// TestHouseFindsTools: the page's grep shows one declaration of each tool, but for tools that it leads to itself.
func TestHouseFindsTools(t *testing.T) {
	m := reToolGrep.FindStringSubmatch(readHouse(t))
	if m == nil {
		t.Fatal("docs/house.md has no grep for a tool's declaration")
	}
	var source strings.Builder
	eachFile(t, func(file string) {
		if dir := filepath.ToSlash(file); strings.HasSuffix(dir, ".go") && (strings.HasPrefix(dir, "handlers/") || strings.HasPrefix(dir, "features/")) {
			source.WriteString(readFile(t, filepath.Join("..", file)))
		}
	})
	declared := regexp.MustCompile(m[1] + `"([^"]+)"`)
	var names []string
	for _, found := range declared.FindAllStringSubmatch(source.String(), -1) {
		names = append(names, found[len(found)-1])
	}
	slices.Sort(names)
	if again := slices.Compact(slices.Clone(names)); len(again) != len(names) {
		t.Error("the grep of docs/house.md shows a tool twice")
	}
	for _, tool := range features.Tools() {
		elsewhere := strings.HasPrefix(tool.Name, "browser_") || strings.HasPrefix(tool.Name, "clock-")
		if !elsewhere && !slices.Contains(names, tool.Name) {
			t.Errorf("the grep of docs/house.md does not show where %s is declared", tool.Name)
		}
	}
}
