// Package thin is a shell command's client of the user's service. It asks before the
// rest of the program is initialised (package early), and ends the process with the
// answer. Where anything is unusual (no service, a word that is no tool) it does
// nothing, and the whole program goes on.
package thin

import (
	"errors"
	"io"
	"os"
	"slices"

	"pwpipe/internal/machine/tricks"
)

// Exit statuses of commands.
const (
	StatusFailed  = 1 // the tool failed
	StatusUsage   = 2 // the command line is wrong
	StatusNothing = 3 // nothing is running
)

// ErrNothing says that no service runs: there is no socket, or nobody listens there.
var ErrNothing = errors.New("nothing is running")

// Command is what a shell command sends to the service.
type Command struct {
	Words   []string `json:"words"`   // of the command line, without the program's name
	Values  []int    `json:"values"`  // indexes of Words that are values, whatever they begin with
	Dir     string   `json:"dir"`     // the folder that relative file names are in
	Session string   `json:"session"` // of PWPIPE_SESSION, "" for the caller's
	Output  string   `json:"output"`  // of PWPIPE_OUTPUT
	Quiet   bool     `json:"quiet"`   // PWPIPE_QUIET
	Start   bool     `json:"start"`   // a session may be opened, whatever the command is
	Build   string   `json:"build"`   // of the client's program
	Caller  Caller   `json:"caller"`
	// Elements are the recorded elements of a call that is repaired, in JSON; "" for another.
	Elements string `json:"elements"`
}

// Answer is what the service answers.
type Answer struct {
	Status  int    // exit status
	Unknown bool   // the first word is no command of the service's
	Ending  bool   // the service is ending, and another can be asked soon
	Note    string // a warning for stderr beside the answer
	Text    []byte // for stdout, or for stderr where Status is not 0
}

// Words of the program itself: these are never sent to a service. A test holds the
// list against the program's commands and the tools.
var Words = []string{"serve", "run", "install", "doctor", "tools", "features", "help", "completion", "config", "skill",
	"convert", "extension", "record", "lend", "service", "upgrade", "mcp", "state-list", "state-show", "state-delete",
	"state-import", "__complete", "__completeNoDesc"}

// First is the command among the words: the first that is neither an option that may
// stand before it nor such an option's value. "" is none.
func First(words []string) string {
	for i := 0; i < len(words); i++ {
		switch w := words[i]; {
		case w == "-s" || w == "--session" || w == "--output":
			i++
		case w == "--json" || w == "--quiet" || w == "-q":
		case hasPrefix(w, "-s=") || hasPrefix(w, "--session=") || hasPrefix(w, "--output="):
		case hasPrefix(w, "-"):
			return ""
		default:
			return w
		}
	}
	return ""
}

// Options are the words before a --: behind it are values, whatever they look like.
func Options(words []string) []string {
	if i := slices.Index(words, "--"); i >= 0 {
		return words[:i]
	}
	return words
}

// ForService reports whether the words may be a command of the service's.
func ForService(words []string) bool {
	first := First(words)
	if first == "" || slices.Contains(Words, first) {
		return false
	}
	for _, w := range Options(words) {
		switch name, _, _ := cutOption(w); {
		case name == "--help" || name == "-h":
			return false
		case first == "open" && hasPrefix(w, "--") && !slices.Contains(Common, name):
			return false // a flag of the service, perhaps
		case first == "close" && w == "--all":
			return false
		}
	}
	return first != "sessions" && first != "show" // which are more than an answer
}

// Common are the options that every command takes.
var Common = []string{"--session", "--json", "--output", "--quiet", "--page", "--timeout", "--max"}

// Run answers the command line of this process, if it is a command for a service that runs.
func Run() {
	extension := len(os.Args) > 1 && hasPrefix(os.Args[1], "chrome-extension:") // see package extension
	if len(os.Args) < 2 || extension || tricks.Off(tricks.EarlyAnswer) || !ForService(os.Args[1:]) {
		return
	}
	cwd, err := os.Getwd()
	if err != nil {
		return
	}
	place, err := Here(cwd)
	if err != nil {
		return
	}
	conn, err := place.Dial()
	if err != nil {
		return
	}
	c, err := Read(os.Args[1:], os.Stdin)
	if err != nil {
		Fail(StatusUsage, err.Error())
	}
	a, err := c.Ask(place, conn)
	if err != nil {
		Fail(StatusFailed, err.Error())
	}
	if !a.Unknown && !a.Ending {
		a.Exit(c, os.Stdout)
	}
	Pending = &c
}

// Pending is the command that was read and not answered, nil for none: stdin can't be
// read twice.
var Pending *Command

// Exit prints an answer and ends the process.
func (a Answer) Exit(c Command, stdout io.Writer) {
	if a.Note != "" {
		say(os.Stderr, "pwpipe: "+a.Note+"\n")
	}
	if a.Status != 0 {
		Fail(a.Status, string(a.Text))
	}
	if _, err := ForTerminal(stdout).Write(a.Text); err != nil {
		Fail(StatusFailed, err.Error())
	}
	os.Exit(0)
}

// Fail ends the process with one line of error.
func Fail(status int, line string) {
	say(os.Stderr, "pwpipe: "+line+"\n")
	os.Exit(status)
}

func say(f *os.File, text string) { _, _ = ForTerminal(f).Write([]byte(text)) }

// maxStdin bounds what is read for a "-".
const maxStdin = 16 << 20

// Read makes a command of the command line and the environment. A word that is - becomes
// what stdin holds, @FILE what the file holds, and @@text the text @text; a line feed at
// the end of either is left out. @e5 stays, a ref, unless there is a file of that name.
// Behind a -- words stay as they are.
func Read(words []string, stdin io.Reader) (c Command, err error) {
	c.Session, c.Output = os.Getenv("PWPIPE_SESSION"), os.Getenv("PWPIPE_OUTPUT")
	quiet := os.Getenv("PWPIPE_QUIET")
	c.Quiet = quiet != "" && quiet != "0" && quiet != "false"
	c.Build = Build()
	if c.Dir, err = os.Getwd(); err != nil {
		return c, err
	}
	c.Caller = CallerIn(c.Dir)
	begun, ended, first := false, false, First(words)
	for _, w := range words {
		if ended {
			c.Values = append(c.Values, len(c.Words))
			c.Words = append(c.Words, w)
			continue
		}
		ended = w == "--"
		c.Quiet = c.Quiet || w == "-q" || w == "--quiet"
		name, value, named := cutOption(w)
		switch {
		case !begun:
			begun = w == first
			c.Words = append(c.Words, w)
			continue
		case named && value != "-" && !hasPrefix(value, "@"):
			c.Words = append(c.Words, w)
			continue
		case named:
			c.Words = append(c.Words, name)
		default:
			value = w
		}
		text, replaced, err := expand(value, stdin)
		if err != nil {
			return c, err
		}
		if replaced || named {
			c.Values = append(c.Values, len(c.Words))
		}
		c.Words = append(c.Words, text)
	}
	return c, nil
}

// cutOption cuts --name=value.
func cutOption(w string) (name, value string, ok bool) {
	if !hasPrefix(w, "--") {
		return w, "", false
	}
	return cut(w, "=")
}

func expand(value string, stdin io.Reader) (text string, replaced bool, err error) {
	switch {
	case value == "-":
		data, err := io.ReadAll(io.LimitReader(stdin, maxStdin+1))
		if err == nil && len(data) > maxStdin {
			err = errors.New("stdin is over 16 MiB")
		}
		return trimLine(string(data)), true, err
	case hasPrefix(value, "@@"):
		return value[1:], true, nil
	case len(value) > 1 && value[0] == '@':
		data, err := os.ReadFile(value[1:])
		switch {
		case errors.Is(err, os.ErrNotExist) && isRef(value[1:]):
			return value, false, nil
		case err != nil:
			err = errors.New(err.Error() + "; for the text " + value + " write @" + value)
		}
		return trimLine(string(data)), true, err
	}
	return value, false, nil
}

// isRef reports whether a word is a ref of an outline, such as e5 or f1e5, which some
// people write as @e5.
func isRef(s string) bool {
	if rest := digits(s, 'f'); rest != s {
		s = rest
	}
	return len(s) > 1 && digits(s, 'e') == ""
}

// digits is s without the letter that it begins with and the digits behind.
func digits(s string, letter byte) string {
	if s == "" || s[0] != letter {
		return s
	}
	i := 1
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return s[i:]
}

func trimLine(s string) string {
	if n := len(s); n > 0 && s[n-1] == '\n' {
		s = s[:n-1]
	}
	if n := len(s); n > 0 && s[n-1] == '\r' {
		s = s[:n-1]
	}
	return s
}

func hasPrefix(s, prefix string) bool { return len(s) >= len(prefix) && s[:len(prefix)] == prefix }
