package program

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pwpipe/handlers"
	"pwpipe/handlers/state"
	"pwpipe/internal/machine/self"
	"pwpipe/internal/machine/setup"
	"pwpipe/internal/machine/temp"
	"pwpipe/internal/machine/writefile"
	"pwpipe/internal/shell/thin"
	"pwpipe/internal/shell/usersocket"
	"pwpipe/provider"
	"pwpipe/provider/service"
)

// userService is the service behind shell commands.
type userService struct {
	Options
	idle  time.Duration
	keep  bool   // every session
	place string // of the service, as the command that starts it names it
	stdin bool   // further flags are on stdin
}

// newServiceCommand is what the first shell command starts.
func (p *Program) serviceCommand() *cobra.Command {
	o := userService{Options: Options{Program: p}}
	cmd := &cobra.Command{
		Use: "service", Short: "Serve shell commands of this user; the first `pwpipe open` starts it", Hidden: true,
		Args: takes(0, 0),
		// Files of settings have been read by the command that starts it.
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.readFlags(cmd, os.Stdin); err != nil {
				return err
			}
			return fromEnvironment(cmd, nil)
		},
		RunE: func(*cobra.Command, []string) error { return o.run() },
	}
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

// register adds the flags that settings can set.
func (o *userService) register(f *pflag.FlagSet) {
	o.Options.Register(OfService, f)
	f.BoolVar(&o.keep, "persist", false, "keep cookies and storage of the sessions over restarts of the service")
	f.DurationVar(&o.idle, "idle", 30*time.Minute, "unused time after which a session is closed")
}

// What a service without sessions waits for the first, and a new one for the socket.
const (
	spareTime  = 30 * time.Second
	socketTime = 20 * time.Second
)

// run serves until the last session is closed, or a signal comes.
func (o *userService) run() (err error) {
	defer func() { err = o.Guard.HideError(err) }()
	oneThread()
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
	passphrase, saved, err := o.states().Store() // before there is another process
	if err != nil {
		return err
	}
	state.States.Set(&o.Config, saved)
	profile := "all"
	pool := &handlers.PoolOptions{TTL: o.idle, Tabs: handlers.TabsIfFree}
	h, err := o.Open(Opening{LogJSON: true, Pool: pool, Profile: &profile})
	if err != nil {
		return err
	}
	defer h.Close()
	waiting, cancel := context.WithTimeout(context.Background(), socketTime)
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
	shell := &service.Shell{Build: thin.Build(), Spare: spareTime, Repair: repairing,
		Pictures: temp.DownloadPrefix + "*"}
	base := handlers.WithPool(context.Background(), h.Pool)
	base = o.onShell(base, h, shell)
	ctx, stop := untilSignal(base)
	defer stop()
	shell.Done = stop
	shell.Tools = service.ShellTools{Goto: goesTo, Where: "url", Outline: outlines, Shown: outlined}
	shell.All = h.openSessions
	shell.Keep = o.keeper(h.Pool, passphrase)
	if len(o.Guard.AllowDirs) == 0 {
		shell.Enter = handlers.AllowFolder
	}
	s := service.Service{Table: h.Table, Log: h.Log, Version: o.Program.Version, Profile: profile, Shell: shell,
		Grace: time.Second, Door: service.Door{MaxBody: provider.DefaultMaxLine << 1, Loopback: true}}
	err = s.Serve(ctx, l)
	stop()
	err = errors.Join(err, shell.End())
	h.End(closeTime)
	return err
}

// openSessions are the ids of the sessions that are open.
func (h *Running) openSessions() (ids []string) {
	for _, s := range h.Pool.Living() {
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

// errOther says that another command has started the service at the same time.
var errOther = errors.New("another command has started the service")

// startService starts the user's service, and waits until it listens. What it needs is
// fetched first, where the user sees the progress.
func startService(at thin.Place, env, flags []string) error {
	if err := fetch(env); err != nil {
		return err
	}
	cmd := exec.Cmd{Args: []string{"pwpipe", "service", "--place", at.Name, "--flags-on-stdin"}, Env: env}
	cmd.Stdin = strings.NewReader(strings.Join(flags, "\x00")) // every user can read arguments, and there may be keys
	return startApart(at, &cmd)
}

// startApart starts this program as a service of the user, which outlives the one that starts
// it, and waits until it listens.
func startApart(at thin.Place, cmd *exec.Cmd) error {
	deadline := time.Now().Add(startTime)
	program, err := self.Program()
	if err != nil {
		return err
	}
	log, err := writefile.Append(at.Log(), writefile.Private)
	if err != nil {
		return err
	}
	defer log.Close()
	begin, err := log.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	cmd.Path, cmd.Stderr, cmd.SysProcAttr = program, log, apart()
	keepNothing()
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		conn, err := at.Dial()
		if err == nil {
			_ = conn.Close()
			if !holds(at, cmd.Process.Pid) {
				return errOther
			}
			return nil
		}
		if !errors.Is(err, thin.ErrNothing) {
			return err
		}
		select {
		case err := <-ended:
			if err != nil {
				return fmt.Errorf("the service did not start: %s", strings.TrimPrefix(lastLine(log, begin), "pwpipe: "))
			}
			ended = nil // another service was there first
		case <-time.After(3 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("the service does not listen; %s may say why", log.Name())
		}
	}
}

// holds reports whether a process has the lock of a place, as its holder has noted.
func holds(at thin.Place, pid int) bool {
	text, err := os.ReadFile(at.Lock())
	return err == nil && strings.TrimSpace(string(text)) == strconv.Itoa(pid)
}

// fetch has what the service needs fetched, unless it attaches to a browser.
func fetch(env []string) error {
	needed := setup.Options{}
	for _, v := range env {
		switch name, value, _ := strings.Cut(v, "="); name {
		case envName("cdp"), envName("ws"), envName("grid"):
			if value != "" {
				return nil
			}
		case envName("browser"):
			needed.Browser = value
		}
	}
	_, err := setup.Ensure(context.Background(), needed)
	return err
}

// lastLine is the last line of a file behind a place.
func lastLine(f *os.File, begin int64) string {
	text, _ := io.ReadAll(io.NewSectionReader(f, begin, 64<<10))
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return lines[len(lines)-1]
}
