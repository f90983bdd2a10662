package record

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"pwpipe/cmd/program"
	"pwpipe/features/record/recorder"
	"pwpipe/handlers"
	"pwpipe/internal/machine/setup"
	"pwpipe/internal/script/convert"
	"pwpipe/internal/shell/thin"
	"pwpipe/provider"
)

const recordHelp = `Open a browser window and write what is done in it as requests, a line each, with
selectors that stand by themselves. ` + "`pwpipe run`" + ` replays them. A line is written
about a second after the action: a click may yet become a double click, or a
download. What is picked with the bar at the top of the page becomes an expect-
request. What is typed into a password field is not written: {{NAME}} stands for
it. The pointer's way, scrolling and dragging are not recorded.

It ends when the last page is closed, when nobody reads its output any more, and on
Ctrl-C. It does not read standard input.`

const recordExample = `  pwpipe record https://example.com > flow.ndjson
  pwpipe record --base-url https://example.com /login --to python > flow.py`

// ndjson is the format that is written line by line.
const ndjson = "ndjson"

type recordOptions struct {
	program.Options
	headless bool
	to       string // a format
	out      *os.File
}

func recordCommand(p *program.Program, out *os.File) *cobra.Command {
	o := recordOptions{Options: program.Options{Program: p}, out: out}
	formats := append([]string{ndjson}, convert.Languages()...)
	const short = "Write what a person does in a browser window as requests"
	cmd := program.Command("record [URL]", short, program.Takes(0, 1),
		func(_ *cobra.Command, args []string) error {
			if err := program.CheckValue("to", o.to, formats); err != nil {
				return err
			}
			return o.record(strings.Join(args, ""))
		})
	cmd.Long, cmd.Example = recordHelp, recordExample
	f := cmd.Flags()
	o.Register("record", f)
	o.Complete(cmd)
	f.BoolVar(&o.headless, "headless", false,
		"show no window; another client of the browser does the actions that are recorded")
	f.StringVar(&o.to, "to", ndjson, strings.Join(formats, ", ")+"; programs are written at the end")
	program.Complete(cmd, "to", formats)
	return cmd
}

// record records until the window is closed or a signal comes.
func (o *recordOptions) record(url string) (err error) {
	defer func() { err = o.Guard.HideError(err) }()
	if err := o.refused(); err != nil {
		return err
	}
	o.Headed = !o.headless
	h, err := o.Open(program.Opening{Adjust: ownChromium})
	if err != nil {
		return err
	}
	defer h.Close()
	defer h.End(program.EndTime)
	ctx, stop := program.UntilSignal(context.Background())
	defer stop()
	ctx, lost := context.WithCancelCause(ctx)
	defer lost(nil)
	program.WatchReader(o.out, func() { lost(program.ErrReaderGone) })
	session := h.Browser.NewSession(handlers.SessionOptions{})
	lines := &recordedLines{out: thin.ForTerminal(o.out), format: o.to, lost: lost}
	ended, err := lines.from(handlers.WithSession(ctx, session), h, session, url)
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "recording: close the window, or press Ctrl-C, to end")
	select {
	case <-ctx.Done():
	case <-ended:
	}
	stop() // a second signal ends us at once
	err = lines.finish(h.Table)
	if errors.Is(context.Cause(ctx), program.ErrReaderGone) {
		return program.ReaderGone
	}
	return err
}

// refused returns an error if nothing could be recorded, or if a password field would not be
// recognised.
func (o *recordOptions) refused() error {
	switch {
	case o.CDP != "" || o.WS != "" || o.Browser == "firefox" || o.Browser == "webkit":
		return errNotOwn
	case !o.headless && setup.NoDisplay():
		return errors.New("there is no display to show a window on (DISPLAY and WAYLAND_DISPLAY are empty); " +
			"start under a virtual one: xvfb-run -a pwpipe record")
	}
	return nil
}

var errNotOwn = errors.New("record starts a Chromium of its own: leave out --cdp, --ws, --grid, firefox and webkit")

// ownChromium refuses a browser that a feature finds elsewhere.
func ownChromium(cfg *handlers.Config) error {
	if cfg.Source != nil {
		return errNotOwn
	}
	return nil
}

// recordedLines takes the requests for what a person did.
type recordedLines struct {
	out    io.Writer
	format string
	lost   context.CancelCauseFunc // called when a line can't be written
	stop   func()

	mu    sync.Mutex
	count int
	kept  strings.Builder // for a program at the end
	err   error           // of writing
}

// from begins to record, and goes to a URL, "" for none. The channel is closed with the last
// page, or with the browser.
func (l *recordedLines) from(
	ctx context.Context, h *program.Running, s *handlers.Session, url string,
) (<-chan struct{}, error) {
	var err error
	if l.stop, err = recorder.Start(ctx, s, true, l.emit); err != nil {
		return nil, err
	}
	if url != "" {
		params, _ := json.Marshal([]string{url})
		q := provider.Request{Tool: "nav", Params: params}
		if _, err := h.Table.Call(ctx, q); err != nil {
			return nil, err
		}
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for pages := s.OpenPages(); len(pages) > 0; pages = s.OpenPages() {
			select {
			case <-pages[0].Gone:
			case <-pages[0].Engine.Gone:
				return
			}
		}
	}()
	return ended, nil
}

// emit writes a line, or keeps it for the program.
func (l *recordedLines) emit(line handlers.Line) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return
	}
	l.count++
	line.ID = l.count
	to := l.out
	if l.format != ndjson {
		to = &l.kept
	}
	if l.err = line.Write(to); l.err != nil {
		l.lost(l.err)
	}
}

// finish waits for the last line, and writes the program.
func (l *recordedLines) finish(table *provider.Table) error {
	l.stop()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil || l.format == ndjson {
		return l.err
	}
	script := program.ReadLines(table, "the recording", strings.NewReader(l.kept.String()))
	steps, err := stepsOf(table, script, l.format)
	if err != nil {
		return err
	}
	text, err := convert.To(l.format, steps)
	if err != nil {
		return fmt.Errorf("%w\n%s", err, l.kept.String()) // what was recorded must not be lost
	}
	_, err = io.WriteString(l.out, text)
	return err
}
