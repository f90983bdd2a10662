package scripthost

import (
	"fmt"
	"regexp"
	"strings"
)

// Failure is a script that threw.
type Failure struct {
	Name, Msg string
	Line      int // in the script, 0 if not known
}

func (f *Failure) Error() string {
	s := f.Msg
	if f.Name != "" && f.Name != "Error" && !strings.HasPrefix(s, f.Name) {
		s = f.Name + ": " + s
	}
	if f.Line > 0 {
		s += fmt.Sprintf(" (line %d of the script)", f.Line)
	}
	return s
}

// failure is one, as the process tells it.
func (o outcome) failure() *Failure {
	f := &Failure{Name: o.Name, Msg: o.Message, Line: o.Line}
	if m := pageOnly.FindStringSubmatch(f.Msg); m != nil && f.Name == "ReferenceError" {
		f.Msg += fmt.Sprintf("; the page has it: page.evaluate(() => %s…)", m[1])
	}
	return f
}

// pageOnly finds a name that people take for the script's.
var pageOnly = regexp.MustCompile(
	`^(document|window|location|navigator|localStorage|sessionStorage|history) is not defined$`)
