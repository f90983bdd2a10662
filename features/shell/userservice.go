package shell

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pwpipe/cmd/program"
	"pwpipe/handlers"
	"pwpipe/handlers/state"
	"pwpipe/internal/machine/setup"
	"pwpipe/internal/machine/temp"
	"pwpipe/internal/shell/thin"
	"pwpipe/internal/shell/usersocket"
	"pwpipe/provider/service"
	"pwpipe/provider/wire"
)

// userService is the service behind shell commands.
type userService struct {
	program.Options
	idle  time.Duration
	keep  bool   // every session
	place string // of the service, as the command that starts it names it
	stdin bool   // further flags are on stdin
}

// serviceCommand is what the first shell command starts.
func serviceCommand(p *program.Program) *cobra.Command {
	o := userService{Options: program.Options{Program: p}}
	cmd := &cobra.Command{
		Use: "service", Short: "Serve shell commands of this user; the first `pwpipe open` starts it", Hidden: true,
		Args: program.Takes(0, 0),
		// Files of settings have been read by the command that starts it.
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.readFlags(cmd, os.Stdin); err != nil {
				return err
			}
			return program.FromEnvironment(cmd, nil)
		},
		RunE: func(*cobra.Command, []string) error { return o.run() },
	}
	o.Options.Register(program.OfService, cmd.Flags())
	o.register(cmd.Flags())
	o.Complete(cmd)
	cmd.Flags().StringVar(&o.place, "place", "service", "name of the socket")
	_ = cmd.Flags().MarkHidden("place")
	cmd.Flags().BoolVar(&o.stdin, "flags-on-stdin", false, "take further flags from stdin, with NUL between")
	_ = cmd.Flags().MarkHidden("flags-on-stdin")
	return cmd
}

func (o *userService) readFlags(cmd *cobra.Command, stdin io.Reader) error {
	if !o.stdin {
		return nil
	}
	text, err := io.ReadAll(stdin)
	if err != nil || len(text) == 0 {
		return err
	}
	return cmd.ParseFlags(strings.Split(string(text), "\x00"))
}

// register adds the flags of a service beside those of every browser. Settings can set them.
func (o *userService) register(f *pflag.FlagSet) {
	f.BoolVar(&o.keep, "persist", false, "keep cookies and storage of the sessions over restarts of the service")
	f.DurationVar(&o.idle, "idle", 30*time.Minute, "unused time after which a session is closed")
}

// run serves until the last session is closed, or a signal comes.
func (o *userService) run() (err error) {
	defer func() { err = o.Guard.HideError(err) }()
	program.OneThread()
	if o.idle <= 0 {
		return fmt.Errorf("--idle: expected a time above 0, such as 30m, got %s", o.idle)
	}
	folder, err := thin.Folder()
	if err == nil {
		err = handlers.CloseControl(folder)
	}
	if err != nil {
		return err
	}
	passphrase, saved, err := o.StateStore() // before there is another process
	if err != nil {
		return err
	}
	state.States.Set(&o.Config, saved)
	profile := "all"
	pool := &handlers.PoolOptions{TTL: o.idle, Tabs: handlers.TabsIfFree}
	h, err := o.Open(program.Opening{LogJSON: true, Pool: pool, Profile: &profile})
	if err != nil {
		return err
	}
	defer h.Close()
	waiting, cancel := context.WithTimeout(context.Background(), program.SocketTime)
	defer cancel()
	l, release, err := usersocket.Listen(waiting, thin.Place{Dir: folder, Name: o.place})
	if errors.Is(err, usersocket.ErrTaken) {
		return nil
	}
	if err != nil {
		return err
	}
	defer release() // after the browser has ended
	defer l.Close()
	shell := &service.Shell{Build: thin.Build(), Spare: program.SpareTime, Repair: repairing,
		Pictures: temp.DownloadPrefix + "*"}
	base := handlers.WithPool(context.Background(), h.Pool)
	base = o.OnShell(base, h, shell)
	ctx, stop := program.UntilSignal(base)
	defer stop()
	shell.Done = stop
	shell.Tools = service.ShellTools{Goto: program.GoesTo, Where: "url", Outline: outlines, Shown: outlined}
	shell.All = func() []string { return openSessions(h.Pool) }
	shell.Keep = o.keeper(h.Pool, passphrase)
	if len(o.Guard.AllowDirs) == 0 {
		shell.Enter = handlers.AllowFolder
	}
	s := service.Service{Table: h.Table, Log: h.Log, Version: o.Program.Version, Profile: profile, Shell: shell,
		Grace: time.Second, Door: service.Door{MaxBody: wire.DefaultMaxLine << 1, Loopback: true}}
	err = s.Serve(ctx, l)
	stop()
	err = errors.Join(err, shell.End())
	h.End(program.CloseTime)
	return err
}

// openSessions are the ids of the sessions that are open.
func openSessions(pool *handlers.Pool) (ids []string) {
	for _, s := range pool.Living() {
		ids = append(ids, s.Options.ID)
	}
	return ids
}

// repairing has the call under ctx repaired, for a script that a shell command runs.
func repairing(ctx context.Context, elements []byte) (context.Context, func() any, error) {
	r := &handlers.Repair{}
	if err := json.Unmarshal(elements, &r.Elements); err != nil {
		return nil, nil, err
	}
	return handlers.WithRepair(ctx, r), func() any { return r.Repaired }, nil
}

// startService starts the user's service, and waits until it listens. What it needs is
// fetched first, where the user sees the progress.
func startService(at thin.Place, env, flags []string) error {
	if err := fetch(env); err != nil {
		return err
	}
	cmd := exec.Cmd{Args: []string{"pwpipe", "service", "--place", at.Name, "--flags-on-stdin"}, Env: env}
	cmd.Stdin = strings.NewReader(strings.Join(flags, "\x00")) // every user can read arguments, and there may be keys
	return program.StartApart(at, &cmd)
}

// fetch has what the service needs fetched, unless it attaches to a browser.
func fetch(env []string) error {
	needed := setup.Options{}
	for _, v := range env {
		switch name, value, _ := strings.Cut(v, "="); name {
		case program.EnvName("cdp"), program.EnvName("ws"), program.EnvName("grid"):
			if value != "" {
				return nil
			}
		case program.EnvName("browser"):
			needed.Browser = value
		}
	}
	_, err := setup.Ensure(context.Background(), needed)
	return err
}

// keeper returns what saves the state of sessions, in a folder of this service: services with
// other settings have other sessions. It returns nil if the browser has a profile, which keeps
// everything.
func (o *userService) keeper(pool *handlers.Pool, passphrase string) *service.Keeper {
	if o.UserDataDir != "" {
		return nil
	}
	base, none := program.StateFolder()
	dir := filepath.Join(base, o.place)
	key := program.NewStateKey(passphrase, dir)
	path := func(session string) string { return filepath.Join(dir, session+".json") }
	return &service.Keeper{Always: o.keep,
		Save: func(ctx context.Context) error { return state.SaveKept(ctx, handlers.SessionOf(ctx)) },
		Open: func(ctx context.Context, session string, b service.Beginning) (string, error) {
			if none != nil {
				return "", none
			}
			if b.Keep {
				if err := program.StateDir(dir); err != nil {
					return "", err
				}
			}
			own := handlers.SessionOptions{Tabs: handlers.TabsNever}
			id, err := pool.CreateWith(ctx, own, func(s *handlers.Session) error {
				err := handlers.Prepare(s, o.Program.Parts()...)
				if err == nil && b.State != "" {
					err = state.Begin(s, state.States.Of(o.Config), b.State)
				}
				if err == nil && b.Keep {
					err = state.Keep(s, path(session), key)
				}
				return err
			})
			if err == nil && b.Keep { // not before: a key that is missing is not made anew
				_, _ = key.Prepare()
			}
			return id, err
		},
		Where: func(session string) string {
			return fmt.Sprintf("cookies and storage of session %s are kept in %s, %s",
				session, path(session), program.HowKept(key))
		}}
}
