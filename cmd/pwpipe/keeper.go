package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"pwpipe/handlers"
	"pwpipe/internal/shell/thin"
	"pwpipe/provider/service"
)

// keeper keeps what sessions have stored, in a folder of this service's place: services
// with other settings have other sessions. It is nil where the browser has a profile, which
// keeps everything.
func (o *userService) keeper(pool *handlers.Pool) (*service.Keeper, error) {
	if o.userDataDir != "" {
		return nil, nil
	}
	base, none := stateFolder()
	if none == nil {
		if err := handlers.CloseFolder(base); err != nil { // to tools
			return nil, err
		}
	}
	dir := filepath.Join(base, o.place)
	path := func(session string) string { return filepath.Join(dir, session+".json") }
	return &service.Keeper{Always: o.keep, Save: handlers.SaveKept,
		Open: func(ctx context.Context, session string) (string, error) {
			if none != nil {
				return "", none
			}
			err := os.MkdirAll(dir, 0o700)
			if err == nil {
				err = thin.Private(dir)
			}
			if err != nil {
				return "", fmt.Errorf("the folder for the state of sessions: %w", err)
			}
			return handlers.OpenKept(ctx, pool, path(session))
		},
		Where: func(session string) string {
			return fmt.Sprintf("cookies and storage of session %s are kept in %s, not encrypted; only you can read the file",
				session, path(session))
		}}, nil
}

// stateFolder is where the state of sessions is kept.
func stateFolder() (string, error) {
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "pwpipe"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil || !filepath.IsAbs(home) {
		return "", errors.Join(errors.New("no folder for the state of sessions: set HOME, or XDG_STATE_HOME"), err)
	}
	switch runtime.GOOS {
	case "darwin":
		return filepath.Join(home, "Library", "Application Support", "pwpipe", "sessions"), nil
	case "windows":
		return filepath.Join(home, "AppData", "Local", "pwpipe", "sessions"), nil
	}
	return filepath.Join(home, ".local", "state", "pwpipe"), nil
}
