package owntabs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"log/slog"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"pwpipe/cmd/program"
	"pwpipe/features/owntabs/lend"
	"pwpipe/handlers"
	"pwpipe/internal/shell/thin"
	"pwpipe/internal/shell/usersocket"
)

// Chrome asks the person about each connection. So a process of its own has the connection, for
// all programs of the user, and outlives them.

// share has a program use the connection of that process, which it starts where there is none. A
// program that can't has a connection of its own.
func share(c *lend.Client, browser string, log *slog.Logger) {
	at, err := placeOf(browser)
	if err != nil {
		log.Warn("this pwpipe has a connection of its own, and `pwpipe lend` lends nothing to it", "why", err)
		return
	}
	alone := c.Connect
	c.Build = thin.Build()
	c.Connect = func(ctx context.Context) (io.ReadWriteCloser, error) {
		conn, err := usersocket.Dial(at)
		if !errors.Is(err, thin.ErrNothing) {
			return conn, err
		}
		log.Warn(lend.Asks(browser))
		// It may outlive the folder of this program.
		cmd := exec.Cmd{Args: []string{"pwpipe", "lend", "--hold", browser}, Dir: at.Dir}
		if err := program.StartApart(at, &cmd); err != nil && !errors.Is(err, program.ErrOther) {
			log.Warn("this pwpipe has a connection of its own, and `pwpipe lend` lends nothing to it", "why", err)
			return alone(ctx)
		}
		return usersocket.Dial(at)
	}
}

// placeOf is where the process listens that has the connection to a browser.
func placeOf(browser string) (at thin.Place, err error) {
	folder, err := thin.Folder()
	if err == nil {
		err = handlers.CloseControl(folder)
	}
	if err != nil {
		return at, err
	}
	of, profiles, named := strings.Cut(browser, ":")
	if !named {
		if profiles, err = lend.FolderOf(of); err != nil {
			return at, err
		}
	}
	name := sha256.Sum256([]byte(filepath.Clean(profiles)))
	return thin.Place{Dir: folder, Name: "browser-" + hex.EncodeToString(name[:8])}, nil
}

// consentTime is how long the person's consent holds while no program uses it.
const consentTime = 12 * time.Hour

// holdConnection is the process that has the connection to a browser.
func holdConnection(browser string) error {
	at, err := placeOf(browser)
	if err != nil {
		return err
	}
	waiting, cancel := context.WithTimeout(context.Background(), program.SocketTime)
	defer cancel()
	listener, release, err := usersocket.Listen(waiting, at)
	if errors.Is(err, usersocket.ErrTaken) {
		return nil
	}
	if err != nil {
		return err
	}
	defer release()
	ctx, stop := program.UntilSignal(context.Background())
	defer stop()
	l := lend.Of(browser)
	over, err := listenToPerson(l, browser, stop)
	if err != nil {
		return err
	}
	defer over()
	s := lend.Service{Lender: l, Build: thin.Build(), Spare: program.SpareTime, Idle: consentTime}
	s.Run(ctx, listener)
	return nil
}
