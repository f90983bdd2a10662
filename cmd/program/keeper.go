package program

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pwpipe/handlers"
	"pwpipe/handlers/state"
	"pwpipe/internal/machine/keyring"
	"pwpipe/internal/machine/writefile"
	"pwpipe/internal/policy/storagestate"
	"pwpipe/internal/shell/thin"
)

// UsedFolder makes the folder of the periods whose codes were given, beside the states.
func UsedFolder() (string, error) {
	base, err := StateFolder()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(base, "used")
	return dir, StateDir(dir)
}

func StateDir(dir string) error {
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		err = thin.Private(dir)
	}
	if err == nil {
		writefile.Sweep(dir)
	}
	if err != nil {
		return fmt.Errorf("the folder for the state of sessions: %w", err)
	}
	return nil
}

// NewStateKey makes the key for a folder. Without a passphrase the keyring has one for it.
func NewStateKey(passphrase, dir string) *storagestate.Key {
	var late error
	return storagestate.NewKey(passphrase, func(create bool) ([]byte, error) {
		if late != nil {
			return nil, late
		}
		key, err := keyring.Key("states in "+dir, create)
		if err != nil {
			err = fmt.Errorf("%s: %w", keyring.Name, err)
		}
		if errors.Is(err, keyring.ErrLate) { // don't wait again
			late = err
		}
		return key, err
	})
}

func HowKept(key *storagestate.Key) string {
	switch sealing, err := key.Prepare(); sealing {
	case storagestate.Passphrase:
		return "encrypted with your passphrase"
	case storagestate.Keyring:
		return fmt.Sprintf("encrypted with a key in your keyring (%s)", keyring.Name)
	default:
		return fmt.Sprintf("not encrypted; only you can read the file (no keyring; %v)", err)
	}
}

// KeyOptions says where the passphrase of states comes from.
type KeyOptions struct{ passphraseFile string }

func (o *KeyOptions) Register(f *pflag.FlagSet) {
	f.StringVar(&o.passphraseFile, passphraseFlag, "",
		"file whose first line encrypts states that are kept (or PWPIPE_STATE_PASSPHRASE is the passphrase itself)")
}

const passphraseFlag = "state-passphrase-file"

// FromSettings reads the setting that a service in this folder would use.
func (o *KeyOptions) FromSettings(p *Program, cmd *cobra.Command) error {
	cwd, err := os.Getwd()
	if err != nil {
		return err
	}
	list, err := p.Settings(cwd, OfShell, cmd.Flags())
	for _, s := range list {
		if s.Name == passphraseFlag {
			o.passphraseFile = s.Value
		}
	}
	return err
}

// Passphrase returns the passphrase of the kept states, "" for none. It removes it from the
// environment, which other processes inherit.
func (o *KeyOptions) Passphrase() (string, error) {
	const variable = "PWPIPE_STATE_PASSPHRASE"
	given := os.Getenv(variable)
	_ = os.Unsetenv(variable)
	if o.passphraseFile == "" {
		return given, nil
	}
	if given != "" {
		return "", fmt.Errorf("give one of --state-passphrase-file and %s", variable)
	}
	if err := handlers.CloseControl(o.passphraseFile); err != nil {
		return "", fmt.Errorf("--state-passphrase-file: %w", err)
	}
	text, err := writefile.Config(o.passphraseFile)
	if err != nil {
		return "", fmt.Errorf("--state-passphrase-file: %w", err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	if line = strings.TrimSuffix(line, "\r"); line == "" {
		return "", fmt.Errorf("--state-passphrase-file: %s has no first line", o.passphraseFile)
	}
	return line, nil
}

// StateFolder returns the folder for the state of sessions.
func StateFolder() (string, error) {
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

// stateOptions are the flags about states that have names, of commands that have one user.
type stateOptions struct {
	KeyOptions
	name    string
	command string
}

// StateFlags are the flags about saved states.
func StateFlags(command string) Flags { return &stateOptions{command: command} }

// Register adds the flags where a session has one user. Shell commands name the state with
// the session.
func (o *stateOptions) Register(f *pflag.FlagSet, _ *handlers.Config) {
	switch o.command {
	case ofPipe, ofRun, "mcp":
		f.StringVar(&o.name, "state", "",
			"begin with the cookies and the storage that state-save has saved under this name")
	case OfService:
	default:
		return
	}
	o.KeyOptions.Register(f)
}

// Into does nothing: states are opened before there is another process.
func (*stateOptions) Into(*Setup) error { return nil }

// StateStore makes the store of states that have names, and returns the passphrase.
func (o *Options) StateStore() (passphrase string, s *storagestate.Store, err error) {
	return o.states().Store()
}

// states are the flags about saved states; without values where they are left out.
func (o *Options) states() *stateOptions {
	for _, f := range o.flags {
		if s, ok := f.(*stateOptions); ok {
			return s
		}
	}
	return &stateOptions{}
}

// open makes the store, of state-save too. It is called before there is another process, which would inherit
// the passphrase.
func (o *stateOptions) open(with *Options) error {
	if o.name != "" && (with.CDP != "" || with.UserDataDir != "") {
		return errors.New("--state begins in a context of its own: " +
			"leave it out with --cdp and --user-data-dir, which have theirs already")
	}
	_, saved, err := o.Store()
	state.States.Set(&with.Config, saved)
	return err
}

// begin has a session begin with the state that was asked for.
func (o *stateOptions) begin(s *handlers.Session, saved *storagestate.Store) error {
	if o.name == "" {
		return nil
	}
	return handlers.BeginWith(s, saved, o.name)
}

// SavedFolder is the folder of states that have names, beside those of services, whose names
// begin with "service".
const SavedFolder = "saved"

// Store makes the store of states that have names, and keeps tools out of the folder of all
// states. It also returns the passphrase.
func (o *KeyOptions) Store() (passphrase string, s *storagestate.Store, err error) {
	if passphrase, err = o.Passphrase(); err != nil {
		return "", nil, err
	}
	base, none := StateFolder()
	if none != nil {
		return passphrase, &storagestate.Store{Ready: func() (string, error) { return "", none }}, nil
	}
	if err := handlers.CloseControl(base); err != nil {
		return "", nil, err
	}
	dir := filepath.Join(base, SavedFolder)
	key := NewStateKey(passphrase, dir)
	ready := func() (string, error) {
		if err := StateDir(dir); err != nil {
			return "", err
		}
		return HowKept(key), nil
	}
	return passphrase, &storagestate.Store{Dir: dir, Key: key, Ready: ready}, nil
}
