package main

import (
	"errors"
	"path/filepath"

	"github.com/spf13/pflag"

	"pwpipe/handlers"
	"pwpipe/internal/policy/storagestate"
)

// stateOptions are the flags about states that have names, of commands that have one user.
type stateOptions struct {
	keyOptions
	name string

	saved *storagestate.Store // once it is open
}

func (o *stateOptions) register(f *pflag.FlagSet) {
	o.keyOptions.register(f)
	f.StringVar(&o.name, "state", "",
		"begin with the cookies and the storage that state-save has saved under this name")
}

// open makes the store. It is called before there is another process, which would inherit
// the passphrase.
func (o *stateOptions) open(with *options) (*storagestate.Store, error) {
	if o.name != "" && (with.CDP != "" || with.UserDataDir != "") {
		return nil, errors.New("--state begins in a context of its own: " +
			"leave it out with --cdp and --user-data-dir, which have theirs already")
	}
	var err error
	_, o.saved, err = o.store()
	return o.saved, err
}

// begin has a session begin with the state that was asked for.
func (o *stateOptions) begin(s *handlers.Session) error {
	if o.name == "" {
		return nil
	}
	return handlers.BeginWith(s, o.saved, o.name)
}

// savedFolder is the folder of states that have names, beside those of services, whose names
// begin with "service".
const savedFolder = "saved"

// store makes the store of states that have names, and keeps tools out of the folder of all
// states. It also returns the passphrase.
func (o *keyOptions) store() (passphrase string, s *storagestate.Store, err error) {
	if passphrase, err = o.passphrase(); err != nil {
		return "", nil, err
	}
	base, none := stateFolder()
	if none != nil {
		return passphrase, &storagestate.Store{Ready: func() (string, error) { return "", none }}, nil
	}
	if err := handlers.CloseFolder(base); err != nil {
		return "", nil, err
	}
	dir := filepath.Join(base, savedFolder)
	key := newStateKey(passphrase, dir)
	ready := func() (string, error) {
		if err := stateDir(dir); err != nil {
			return "", err
		}
		key.prepare()
		return key.how(), nil
	}
	return passphrase, &storagestate.Store{Dir: dir, Key: key.Key, Ready: ready}, nil
}
