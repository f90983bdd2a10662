package program

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// passing lists parts of the paths of copies that npx and uvx may remove, with the commands that
// start pwpipe there.
var passing = []struct {
	part    string
	command []string
}{
	{"/_npx/", []string{"npx", "-y", "pwpipe@latest"}},
	{"/archive-v0/", []string{"uvx", "pwpipe@latest"}},
}

// ServerCommand returns the command that starts this program. In a project, which other people may
// share, it is the program's name; for the user it is its path, since a host may have another PATH.
func ServerCommand(user bool) (command string, args []string, err error) {
	own, err := os.Executable()
	if err != nil {
		return "", nil, err
	}
	for _, p := range passing {
		if strings.Contains(filepath.ToSlash(own), p.part) {
			return p.command[0], slices.Clone(p.command[1:]), nil
		}
	}
	found, err := exec.LookPath("pwpipe")
	if err == nil && !user {
		return "pwpipe", nil, nil
	}
	if err == nil && sameFile(found, own) { // such as a link of Homebrew, which outlives a version
		own, err = filepath.Abs(found)
		return own, nil, err
	}
	return own, nil, nil
}

func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	other, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(one, other)
}
