package chromium

import (
	"fmt"
	"strings"
)

// FolderOf is the folder where a browser that people use has its profiles, by a name of
// [Personal].
func FolderOf(name string) (string, error) {
	b, known := personal[name]
	if !known {
		return "", fmt.Errorf("no browser %q; there are %s", name, strings.Join(Personal(), ", "))
	}
	list, err := b.folders()
	if err != nil {
		return "", err
	}
	return list[0], nil
}
