package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"strings"
	"sync"

	"pwpipe/handlers"
	"pwpipe/internal/browser/chromium"
	"pwpipe/internal/browser/lend"
	"pwpipe/internal/shell/thin"
	"pwpipe/internal/shell/usersocket"
)

// share has the first program of this user that attaches to a person's browser serve the others,
// until done is called: Chrome asks the person about each connection.
type share struct {
	lender *lend.Lender
	at     thin.Place

	mu   sync.Mutex
	done func() // nil while another program serves
}

// shareLender has a lender for a browser, by its name, share its connection.
func shareLender(l *lend.Lender, browser string) (done func(), err error) {
	folder, err := thin.Folder()
	if err == nil {
		err = handlers.CloseFolder(folder) // to tools
	}
	if err != nil {
		return nil, err
	}
	of, profiles, named := strings.Cut(browser, ":")
	if !named {
		if profiles, err = chromium.FolderOf(of); err != nil {
			return nil, err
		}
	}
	name := sha256.Sum256([]byte(profiles))
	s := &share{lender: l, at: thin.Place{Dir: folder, Name: "browser-" + hex.EncodeToString(name[:8])}}
	l.Elsewhere = s.elsewhere
	return s.end, nil
}

// elsewhere connects to the program that has the connection. It returns nil where that is this one.
func (s *share) elsewhere(ctx context.Context) (io.ReadWriteCloser, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.done != nil {
		return nil, nil
	}
	listener, release, err := usersocket.Listen(ctx, s.at)
	for errors.Is(err, usersocket.ErrTaken) {
		conn, gone := usersocket.Dial(s.at)
		if !errors.Is(gone, thin.ErrNothing) {
			return conn, gone
		}
		listener, release, err = usersocket.Listen(ctx, s.at) // it has just ended
	}
	if err != nil {
		return nil, err
	}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go s.lender.Serve(conn)
		}
	}()
	s.done = func() {
		_ = listener.Close()
		release()
	}
	return nil, nil
}

func (s *share) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.done != nil {
		s.done()
	}
}
