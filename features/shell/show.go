package shell

import (
	"cmp"
	"errors"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"pwpipe/internal/machine/setup"
	"pwpipe/internal/machine/writefile"
	"pwpipe/internal/shell/thin"
)

// show prints the address of the live page, and opens it where there is a display.
func (r *runner) show(c thin.Command) error {
	conn, err := r.place.Dial()
	if err != nil {
		return r.start(c) // which says that nothing runs
	}
	a, err := c.Ask(r.place, conn)
	if err != nil {
		thin.Fail(thin.StatusFailed, err.Error())
	}
	if a.Status != 0 || a.Ending {
		thin.Fail(max(a.Status, thin.StatusFailed), cmp.Or(string(a.Text), thin.ErrLost.Error()))
	}
	if _, err := r.out.Write(a.Text); err != nil || slices.Contains(c.Words, "--print") {
		return err
	}
	openers := map[string][]string{"darwin": {"open"}, "windows": {"rundll32", "url.dll,FileProtocolHandler"}}
	opener := openers[runtime.GOOS]
	if opener == nil {
		if setup.NoDisplay() {
			return nil
		}
		opener = []string{"xdg-open"}
	}
	file, err := leadTo(r.place.Dir, strings.TrimSpace(string(a.Text)))
	if err == nil {
		err = exec.Command(opener[0], append(opener[1:], file)...).Run()
	}
	if err != nil {
		fmt.Fprintf(thin.ForTerminal(os.Stderr), "pwpipe: %s: %v; open the address yourself\n", opener[0], err)
	}
	return nil
}

// leadTo writes a page that leads to an address, for this user alone, in place of those
// before. The key in the address must not be an argument of a program: every user can
// read those.
func leadTo(dir, url string) (path string, err error) {
	before, err := filepath.Glob(filepath.Join(dir, "show-*.html"))
	if err != nil {
		return "", err
	}
	for _, old := range before {
		_ = os.Remove(old)
	}
	f, err := writefile.Temp(dir, "show-*.html")
	if err != nil {
		return "", err
	}
	_, err = fmt.Fprintf(f, "<!doctype html>\n<meta charset=utf-8>\n<meta name=referrer content=no-referrer>\n"+
		"<meta http-equiv=refresh content=\"0;url=%[1]s\">\n<a href=\"%[1]s\">pwpipe</a>\n", html.EscapeString(url))
	return f.Name(), errors.Join(err, f.Close())
}
