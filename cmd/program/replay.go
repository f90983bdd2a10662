package program

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"pwpipe/handlers"
	"pwpipe/handlers/state"
	"pwpipe/internal/shell/thin"
	"pwpipe/internal/text/secrets"
	"pwpipe/provider"
)

const replayHelp = `Run request scripts, a line of JSON each, such as the tool log-start writes, and
report how it went. Each file gets a fresh context. Blank lines and lines that
begin with # are skipped. A step that fails ends its file; --keep-going runs the
rest all the same. A file that can't be read, or holds a line that is no request,
is reported and not run. The exit status is 1 if any step failed, 2 if a file
could not be read.

With --repair each step compares its element with the recorded one: role, name,
label, test id, text and what stands around it. If its selector finds another
element, or none, and exactly one element is like the recorded one, the step uses
that one and says so. --update writes its selector into the file, if all steps
pass. A match in doubt fails the step.`

const replayExample = `  pwpipe run --site fixtures/login.ndjson
  pwpipe run --base-url https://example.com --junit report.xml --html report.html checks/*.ndjson`

// replay holds the flags of the command run, and what it runs with.
type replay struct {
	Options
	junit, html string
	keepGoing   bool
	quiet       bool
	repair      bool   // elements are found again
	update      bool   // their selectors are written into the scripts
	session     string // of shell commands, "" for a browser of its own
	out         io.Writer
	table       *provider.Table
}

// caller calls a tool for a script, and has the call repaired unless repair is nil.
type caller func(_ context.Context, _ provider.Request, repair *handlers.Repair) (json.RawMessage, error)

// callerOf calls the tools of a table.
func callerOf(table *provider.Table) caller {
	return func(ctx context.Context, r provider.Request, repair *handlers.Repair) (json.RawMessage, error) {
		if repair != nil {
			ctx = handlers.WithRepair(ctx, repair)
		}
		result, err := table.Call(ctx, r)
		return result.JSON, err
	}
}

func (p *Program) runCommand(out io.Writer) *cobra.Command {
	r := replay{Options: Options{Program: p}, out: thin.ForTerminal(out)}
	cmd := command("run FILE...", "Run request scripts and report what failed", takes(1, many),
		func(cmd *cobra.Command, files []string) error {
			if r.update && !r.repair {
				return errors.New("--update writes what --repair finds: give both")
			}
			if r.session == "" {
				return r.run(files)
			}
			return r.runInSession(cmd.Flags(), files)
		})
	cmd.Long, cmd.Example = replayHelp, replayExample
	f := cmd.Flags()
	r.Register(ofRun, f)
	r.Complete(cmd)
	f.StringVar(&r.junit, "junit", "", "write a report as JUnit XML to this file")
	f.StringVar(&r.html, "html", "", "write a report as one HTML page to this file, with a screenshot of each failing step")
	f.BoolVar(&r.keepGoing, "keep-going", false, "go on with a file after a step failed")
	f.BoolVar(&r.quiet, "quiet", false, "print failures and the summary only")
	f.BoolVar(&r.repair, "repair", false,
		"where a selector no longer finds the recorded element, use the one that it became, if there is no doubt")
	f.BoolVar(&r.update, "update", false, "write repaired selectors into the files; with --repair")
	f.StringVarP(&r.session, "session", "s", "", "run in this session of shell commands, which must be open")
	return cmd
}

// run runs the files one after the other and writes the reports.
func (r *replay) run(files []string) (err error) {
	defer func() { err = r.Guard.HideError(err) }()
	if err := r.states().open(&r.Options); err != nil {
		return err
	}
	h, err := r.Open(Opening{})
	if err != nil {
		return err
	}
	defer h.Close()
	r.table = h.Table
	return r.runAll(files, func(ctx context.Context, s *Script) error {
		session := h.Browser.NewSession(handlers.SessionOptions{})
		if err := r.states().begin(session, state.States.Of(r.Config)); err != nil {
			return err
		}
		r.script(handlers.WithSession(ctx, session), callerOf(h.Table), s)
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		session.Close(closing)
		return nil
	}, func() { h.End(EndTime) })
}

// runAll runs the files that can be read, calls end, and writes the reports. Its error says how
// it went.
func (r *replay) runAll(files []string, run func(context.Context, *Script) error, end func()) error {
	scripts := []*Script{}
	for _, file := range files { // all are read before anything is done
		scripts = append(scripts, ReadScript(r.table, file))
	}
	ctx, stop := signal.NotifyContext(context.Background(), stopSignals...)
	defer stop()
	begin := time.Now()
	for _, s := range scripts {
		if s.Broken {
			fmt.Fprintf(r.out, "%s\n  %s\n", s.Name, s.Steps[0].line())
		} else if err := run(ctx, s); err != nil {
			return err
		}
	}
	end()
	rep := newReport(scripts, begin)
	fmt.Fprintln(r.out, rep.summary())
	if err := errors.Join(rep.write(r.junit, rep.junit), rep.write(r.html, rep.html)); err != nil {
		return err
	}
	switch {
	case ctx.Err() != nil:
		return ExitStatus(130)
	case slices.ContainsFunc(scripts, func(s *Script) bool { return s.Broken }):
		return ExitStatus(2)
	case rep.Failed > 0:
		return ExitStatus(1)
	}
	return nil
}

func (r *replay) script(ctx context.Context, call caller, s *Script) {
	fmt.Fprintf(r.out, "%s\n", s.Name)
	failed := false
	for _, st := range s.Steps {
		if failed && !r.keepGoing || ctx.Err() != nil {
			st.Skipped = true
			continue
		}
		begin := time.Now()
		var repair *handlers.Repair
		if r.repair && len(st.repair.Elements) > 0 {
			repair = &st.repair
		}
		result, err := call(ctx, st.Request, repair)
		st.Took = time.Since(begin)
		if err == nil {
			st.Result = string(result)
		} else {
			failed = true
			st.fail(ctx, call, provider.AsError(err))
		}
		if err != nil || !r.quiet || len(st.repair.Repaired) > 0 {
			fmt.Fprintf(r.out, "  %s\n", st.line())
		}
	}
	if r.update && ctx.Err() == nil {
		fmt.Fprint(r.out, s.updated(r.table, failed))
	}
}

// fail notes a failure and takes a picture of the page as it is then.
func (st *Step) fail(ctx context.Context, call caller, e *provider.Error) {
	st.Error, st.Kind, st.URL = e.Error(), string(e.Kind), e.URL
	if e.Kind == provider.KindUnavailable || ctx.Err() != nil {
		return
	}
	dir, err := os.MkdirTemp("", "pwpipe-report-")
	if err != nil {
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "failed.png")
	params, _ := json.Marshal([]string{path})
	if _, err := call(ctx, provider.Request{Tool: "shot", Params: params, Page: st.Request.Page}, nil); err == nil {
		st.Picture, _ = os.ReadFile(path)
	}
}

// Script is a file of requests.
type Script struct {
	Name   string
	Steps  []*Step
	Broken bool              // it can't be run; its one step says why
	sum    [sha256.Size]byte // of its file
}

// Step is one request and what became of it.
type Step struct {
	Number  int // line of the file
	Text    string
	Request provider.Request
	repair  handlers.Repair // of --repair

	Result, Error, Kind, URL string
	Took                     time.Duration
	Skipped                  bool
	Picture                  []byte // PNG, nil for none
}

func (st *Step) line() string {
	mark := "ok  "
	if st.Error != "" {
		mark = "FAIL"
	}
	request, took := secrets.Shorten(st.Text, 100), st.Took.Round(time.Millisecond)
	text := fmt.Sprintf("%s %3d %s (%s)", mark, st.Number, request, took)
	for _, repaired := range st.repaired() {
		text += "\n       repaired: " + repaired
	}
	if st.Error != "" {
		text += "\n       " + st.Error
	}
	return text
}

// ReadScript reads a file of requests. A file that can't be read, or has a line
// that is no request, makes a broken script.
func ReadScript(table *provider.Table, file string) *Script {
	f, err := os.Open(file)
	if err != nil {
		return (&Script{Name: file}).unreadable(0, "", err)
	}
	defer f.Close()
	sum := sha256.New()
	s := ReadLines(table, file, io.TeeReader(f, sum))
	copy(s.sum[:], sum.Sum(nil))
	return s
}

// ReadLines is readScript for a text that is open already.
func ReadLines(table *provider.Table, name string, text io.Reader) *Script {
	s := &Script{Name: name}
	in := bufio.NewReader(text)
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff")))
		if len(line) > 0 && line[0] != '#' {
			r, perr := table.ParseRequest(line)
			if perr != nil {
				return s.unreadable(n, table.MaskText(string(line)), errors.New(table.MaskText(perr.Error())))
			}
			st := &Step{Number: n, Text: table.MaskText(r.Tool + " " + string(r.Params)), Request: r}
			var recorded handlers.Line
			if json.Unmarshal(line, &recorded) == nil {
				st.repair.Elements = recorded.Element
			}
			s.Steps = append(s.Steps, st)
		}
		if err == io.EOF {
			return s
		}
		if err != nil {
			return s.unreadable(n, "", err)
		}
	}
}

// unreadable makes a script of one step that failed: the line that could not
// be read.
func (s *Script) unreadable(number int, text string, err error) *Script {
	at := s.Name
	if number > 0 {
		at = fmt.Sprintf("%s:%d", s.Name, number)
	}
	s.Broken = true
	s.Steps = []*Step{{Number: number, Text: text, Error: fmt.Sprintf("%s: %v", at, err), Kind: string(provider.KindParse)}}
	return s
}
