package program

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pwpipe/handlers"
	"pwpipe/internal/machine/rawio"
	"pwpipe/internal/shell/thin"
	"pwpipe/internal/text/suggest"
	"pwpipe/provider"
	"pwpipe/provider/commandline"
	"pwpipe/provider/service"
	"pwpipe/provider/wire"
)

const rootHelp = `pwpipe reads requests from stdin, a line of JSON each, drives a real browser
through Playwright, and writes a line of JSON for each to stdout.

  $ echo '{"id":1,"method":"nav","params":{"url":"https://example.com"}}
  {"id":2,"method":"txt","params":["h1"]}' | pwpipe
  {"id":1,"result":null}
  {"id":2,"result":"Example Domain"}

Each tool is a command as well, in a browser that stays open between two:

  $ pwpipe open https://example.com
  $ pwpipe txt h1

The same stdin takes JSON-RPC 2.0 and the Model Context Protocol: each line
says what it is. ` + "`pwpipe tools`" + ` lists the tools. The first run fetches the
browser and the Playwright driver; ` + "`pwpipe install`" + ` does so ahead of time.

Every flag can be set as an environment variable: --base-url is PWPIPE_BASE_URL.
A file pwpipe.json can set them too; ` + "`pwpipe config pipe`" + ` prints what holds.`

const rootExample = `  pwpipe --site < fixtures/login.ndjson      try it on the sample site
  pwpipe --base-url https://example.com      relative URLs work: {"method":"nav","params":["/login"]}
  pwpipe --strict < steps.ndjson             stop at the first error, exit status 1
  pwpipe tools --format markdown             every tool, as a table`

// CommandLine is the command `pwpipe` with all its commands and flags. What they print goes to out.
func (p *Program) CommandLine(out *os.File) *cobra.Command {
	o := Options{Program: p}
	s := &wire.Stdio{Version: p.Version}
	root := &cobra.Command{
		Use: "pwpipe", Short: "Playwright over a pipe", Long: rootHelp, Example: rootExample,
		Args: p.noCommand, Version: p.Version, SilenceErrors: true, SilenceUsage: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return p.fromSettings(cmd) },
		RunE:              func(*cobra.Command, []string) error { return o.Pipe(s, out) },
	}
	root.SetFlagErrorFunc(p.FlagError)
	root.SetVersionTemplate(p.versionLine())
	root.SetOut(out)
	root.SetErr(os.Stderr)
	o.Register(ofPipe, root.Flags())
	root.Flags().BoolVar(&s.Strict, "strict", false, "stop at the first error and exit with status 1")
	root.Flags().IntVar(&s.MaxLine, "max-line", wire.DefaultMaxLine, "longest request line, in bytes")
	root.Flags().StringVar(&s.Profile, "profile", provider.DefaultProfile, ProfileHelp)
	p.CompleteProfiles(root)
	o.Complete(root)
	root.AddCommand(p.runCommand(out), p.toolsCommand(out), newInstallCommand(), p.doctorCommand(thin.ForTerminal(out)),
		p.upgradeCommand(out), p.configCommand(out), p.featuresCommand(out))
	for _, f := range p.Features {
		if f.Commands != nil {
			f.Commands(p, root, out)
		}
	}
	p.addManual(root, out)
	return root
}

// noCommand refuses what is neither a command nor a flag.
func (p *Program) noCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	names = append(names, service.Commands...)
	table := p.Table()
	for _, tool := range table.Profile("all") {
		names = append(names, tool.Name)
	}
	word, meant := args[0], p.leftOut()
	if meant == "" {
		word, meant = toolMeant(table, args)
	}
	if meant == "" {
		word, meant = args[0], suggest.Hint(args[0], names)
	}
	return hinted(fmt.Errorf("unknown command %q", word), meant)
}

// toolMeant says which commands words mean that another program takes as one, as in
// "goto" and "get text", or why there is none; "" where no program is known to take them.
func toolMeant(table *provider.Table, args []string) (word, meant string) {
	for n := min(len(args), 3); n > 0; n-- {
		word = strings.Join(args[:n], " ")
		peer := suggest.Of(word)
		var ours []string
		for _, name := range peer.Ours {
			if tool := table.Find(name); tool != nil {
				ours = append(ours, commandline.Usage(tool))
			}
		}
		if len(ours) > 0 {
			return word, "here it is: " + either(ours)
		}
		if peer.Why != "" {
			return word, peer.Why
		}
	}
	return "", ""
}

// ErrReaderGone: who started us is gone, or wants no more replies.
var ErrReaderGone = errors.New("nobody reads the replies any more")

// How long the browser may take to close, and when we are asked to end.
const (
	EndTime  = 10 * time.Second
	stopTime = 1500 * time.Millisecond
)

// Pipe serves stdin until it ends or a signal comes. Replies go to out.
func (o *Options) Pipe(s *wire.Stdio, out *os.File) (err error) {
	defer func() { err = o.Guard.HideError(err) }()
	if err := o.states().open(o); err != nil {
		return err
	}
	oneThread()
	smallHeap()
	if s.MaxLine < 1024 {
		return fmt.Errorf("--max-line: expected at least 1024 bytes, got %d", s.MaxLine)
	}
	h, err := o.Open(Opening{Pool: &handlers.PoolOptions{}, Profile: &s.Profile})
	if err != nil {
		return err
	}
	defer h.Close()
	session := h.Browser.NewSession(handlers.SessionOptions{})
	if err := o.begin(session); err != nil {
		return err
	}
	s.Table, s.Pages = h.Table, session
	base := handlers.WithPool(handlers.WithSession(context.Background(), session), h.Pool)
	base, end, err := o.onPipe(base, h, session)
	defer end()
	if err != nil {
		return err
	}
	ctx, stop := untilSignal(base)
	defer stop()
	in, restore := pollable(os.Stdin)
	defer restore()
	ctx, lost := context.WithCancelCause(ctx)
	defer lost(nil)
	watchReader(out, func() { lost(ErrReaderGone) })
	failed, err := s.Serve(ctx, in, rawio.Shared(out))
	signalled := caught(ctx)
	stop() // a second signal ends us at once

	limit := EndTime
	if signalled != 0 {
		limit = stopTime
	}
	h.End(limit)
	switch {
	case signalled != 0:
		return ExitStatus(128 + signalled)
	case errors.Is(context.Cause(ctx), ErrReaderGone):
		h.Log.Info(ErrReaderGone.Error())
		return ReaderGone
	case err != nil && !errors.Is(err, context.Canceled):
		return err
	case failed && s.Strict:
		return ExitStatus(1)
	}
	return nil
}

// oneThread keeps Go code on one thread at a time. One client's requests are a
// chain of short steps, each a wait for another process; handing them from
// thread to thread costs more than all the work in between.
func oneThread() {
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(1)
	}
}

// smallHeap makes the garbage collector run twice as often, which a call does not notice. GOGC
// of the environment wins.
func smallHeap() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(50)
	}
}
