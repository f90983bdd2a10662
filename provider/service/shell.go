package service

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"pwpipe/internal/shell/thin"
	"pwpipe/provider"
	"pwpipe/provider/commandline"
)

// Shell serves shell commands of one user: every tool is a command, and sessions have
// names.
type Shell struct {
	Tools ShellTools
	Build string // of this program
	// Enter is told from which folder a command comes; nil: nobody is.
	Enter func(dir string) error
	// All are the ids of the open sessions, those without a name among them.
	All func() (ids []string)
	// Show answers the address of a page that shows all sessions; nil: there is none.
	Show func() (url string, err error)
	// Repair has the call under ctx repaired, given its recorded elements in JSON. It
	// returns what tells afterwards what was repaired.
	Repair func(ctx context.Context, elements []byte) (_ context.Context, repaired func() any, _ error)
	Keep   *Keeper // nil: no session is kept
	// Done is called once, when the last session is closed and no command runs.
	Done func()
	// Pictures is the pattern of the temporary folders for pictures that no file was named
	// for. They are removed with their session.
	Pictures string
	// Spare is how long a service without a session waits for its first.
	Spare time.Duration

	server *server

	mu sync.Mutex
	naming
	pictures pictures
	life
}

// ShellTools are the names of the tools that shell commands use by themselves.
type ShellTools struct {
	Goto    string   // goes to a URL
	Where   string   // answers the URL
	Outline string   // its answer is shown after some others
	Shown   []string // those others
}

// life is how a service stands to its end.
type life struct {
	runs   int // commands that run
	ending bool
	begun  time.Time
}

// naming is the sessions by their names, and who these belong to.
type naming struct {
	names  map[string]*namedSession
	owners owners
}

// namedSession is a session and its name.
type namedSession struct {
	opening sync.Mutex // held while id is found out
	// Written with opening and the Shell's lock, read with either.
	id      string // "" before it is opened
	used    time.Time
	keeping keeping
}

// Commands are the words that Shell understands beside the names of tools.
var Commands = []string{"open", "goto", "call", "close", "sessions", "show"}

// DefaultSession is the session of commands that name none, while nobody else has it.
const DefaultSession = "default"

// command is POST /shell.
func (sh *Shell) command(w http.ResponseWriter, r *http.Request) {
	body, err := readBody(w, r)
	if err != nil {
		return
	}
	c, err := readCommand(body)
	if err != nil {
		writeError(w, err)
		return
	}
	if !sh.enter() {
		w.Header().Set(thin.EndingHeader, "yes")
		w.Header().Set(thin.StatusHeader, "3")
		return
	}
	defer sh.leave()
	ctx, cancel := sh.server.callContext(r)
	defer cancel()
	ctx, written := provider.Answering(ctx)
	defer written()
	a := sh.answer(provider.WithCaller(ctx, "a shell"), c)
	h := w.Header()
	if a.Unknown {
		h.Set(thin.UnknownHeader, "yes")
	}
	if c.Build != sh.Build {
		a.Note = joined(a.Note,
			"the service that runs is of another version; it ends with its last session (`pwpipe close --all`)")
	}
	if a.Note != "" {
		h.Set(thin.NoteHeader, strings.Join(strings.Fields(a.Note), " "))
	}
	h.Set(thin.StatusHeader, strconv.Itoa(a.Status))
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(a.Text)))
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTime))
	_, _ = w.Write(a.Text)
}

// enter counts a command in, unless the service is ending.
func (sh *Shell) enter() bool {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if sh.ending {
		return false
	}
	sh.runs++
	return true
}

func (sh *Shell) leave() {
	sh.mu.Lock()
	sh.runs--
	sh.mu.Unlock()
	sh.endIfDone(0)
}

// endIfDone ends a service that nobody uses any more: no command runs, and there is no
// session. For its first it waits.
func (sh *Shell) endIfDone(after time.Duration) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if len(sh.names) > 0 { // its first session has come
		after = 0
	}
	if sh.ending || sh.runs > 0 || sh.server.sessions.Open() > 0 || time.Since(sh.begun) < after {
		return
	}
	sh.ending = true
	go sh.Done()
}

// beginShell watches over sessions that end for being idle.
func (sh *Shell) begin(s *server) {
	sh.server, sh.begun = s, time.Now()
	sh.naming = naming{names: map[string]*namedSession{}, owners: owners{}}
	sh.pictures.pattern = sh.Pictures
	go func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				sh.pictures.removeExcept(sh.All())
				sh.saveDue()
				sh.endIfDone(sh.Spare)
			case <-sh.server.base.Done():
				return
			}
		}
	}()
}

// failed is the answer that an error is.
func (sh *Shell) failed(status int, err error) thin.Answer {
	e := sh.server.Table.MaskError(provider.AsError(err))
	return thin.Answer{Status: status, Text: []byte(e.Error())}
}

// statusOf is the exit status of an error.
func statusOf(err error) int {
	switch provider.AsError(err).Kind {
	case provider.KindParse, provider.KindInvalid, provider.KindUnknown, provider.KindArgs:
		return thin.StatusUsage
	}
	return thin.StatusFailed
}

// answer runs a command.
func (sh *Shell) answer(ctx context.Context, c thin.Command) (a thin.Answer) {
	given := commandline.Options{Session: c.Session, Output: c.Output, Quiet: c.Quiet}
	l, err := commandline.Split(c.Words, c.Values, given)
	if err != nil {
		return sh.failed(thin.StatusUsage, err)
	}
	defer takeName(sh, &l.Session, c.Caller)()
	switch l.Command {
	case "close":
		return sh.closeNamed(ctx, l)
	case "sessions":
		return sh.listNamed(ctx, c.Caller)
	case "show":
		if sh.Show == nil {
			return sh.failed(thin.StatusFailed, errors.New("show: the feature that shows what runs is left out"))
		}
		url, err := sh.Show()
		if err != nil {
			return sh.failed(thin.StatusFailed, err)
		}
		return thin.Answer{Text: []byte(url + "\n")}
	case "call":
		return sh.callJSON(ctx, l, c)
	case "open":
		b, err := TakeBeginning(&l)
		if err != nil {
			return sh.failed(thin.StatusUsage, err)
		}
		if err := sh.openKept(ctx, l.Session, b); err != nil {
			return sh.failed(statusOf(err), err)
		}
		if b.Keep && !l.Quiet {
			defer func() { a.Note = joined(a.Note, sh.Keep.Where(l.Session)) }()
		}
		if len(l.Words()) == 0 {
			if _, err := sh.named(ctx, l.Session, true); err != nil {
				return sh.failed(statusOf(err), err)
			}
			return thin.Answer{}
		}
		fallthrough
	case "goto":
		l.Command = sh.Tools.Goto
		c.Start = true
	case sh.Tools.Goto:
		c.Start = true
	}
	tool := sh.server.Table.Find(l.Command)
	if tool == nil {
		return thin.Answer{Unknown: true, Status: thin.StatusUsage}
	}
	request, err := l.Request(tool, c.Dir)
	if err != nil {
		return sh.failed(thin.StatusUsage, err)
	}
	return sh.runCommand(ctx, l, c, tool, request)
}

// joined is a note with one more line.
func joined(note, line string) string { return strings.TrimPrefix(note+"; "+line, "; ") }

// runCommand runs a tool's command in its session. Only now the folder that it comes from
// is one of those that tools may reach.
func (sh *Shell) runCommand(
	ctx context.Context, l commandline.Line, c thin.Command, tool *provider.Tool, request provider.Request,
) (a thin.Answer) {
	if !tool.Sessionless {
		id, err := sh.named(ctx, l.Session, c.Start)
		if err != nil {
			status := statusOf(err)
			if provider.AsError(err).Kind == provider.KindNoTarget {
				status = thin.StatusNothing
			}
			return sh.failed(status, err)
		}
		request.Session = id
	}
	if sh.Enter != nil {
		if err := sh.Enter(c.Dir); err != nil {
			return sh.failed(thin.StatusFailed, err)
		}
	}
	request.Tell = !l.Quiet && l.Output != "json"
	result, err := sh.callCommand(ctx, request)
	if lost := sh.touched(l.Session); lost != nil {
		a.Note = lost.Error()
	}
	if err != nil {
		failed := sh.failed(statusOf(err), err)
		text := strings.Join(append([]string{string(failed.Text)}, result.Happened...), "\n")
		a.Status, a.Text = failed.Status, []byte(text)
		return a
	}
	var text string
	if l.Output == "json" {
		text = string(result.JSON)
	} else if text, err = sh.pictures.shownText(request.Session, tool, result); err != nil {
		return sh.failed(thin.StatusFailed, err)
	}
	if slices.Contains(sh.Tools.Shown, tool.Name) && !l.Quiet && l.Output != "json" {
		look := provider.Request{Tool: sh.Tools.Outline, Session: request.Session, Page: request.Page}
		outline, err := sh.callCommand(ctx, look)
		if err != nil {
			a.Note = "no outline: " + sh.server.Table.MaskError(provider.AsError(err)).Error()
		} else {
			text, _ = sh.pictures.shownText(request.Session, sh.server.Table.Find(sh.Tools.Outline), outline)
		}
	}
	for _, line := range append([]string{text}, result.Happened...) {
		if line != "" && !strings.HasSuffix(line, "\n") {
			line += "\n"
		}
		a.Text = append(a.Text, line...)
	}
	return a
}

// callCommand calls a tool in the order of its session.
func (sh *Shell) callCommand(ctx context.Context, r provider.Request) (provider.Result, error) {
	return sh.server.call(ctx, &provider.Message{Request: r}, needSession)
}
