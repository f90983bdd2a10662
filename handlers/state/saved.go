package state

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/tool"
	"pwpipe/internal/policy/storagestate"
	"pwpipe/provider"
)

const (
	saveTime = 30 * time.Second // databases can be large
	maxSaved = 500              // names in a store: a client chooses them
)

type saveNamedParams struct {
	Name string `json:"name" secrets:"no" doc:"letters, digits, dots, dashes and underscores"`
}

// savedState says what was saved, and how.
type savedState struct {
	State   string `json:"state" own:"yes" doc:"its name"`
	Cookies int    `json:"cookies" doc:"how many"`
	Origins int    `json:"origins" doc:"how many have stored something"`
	Kept    string `json:"kept" own:"yes" doc:"whether it is encrypted, and with what"`
	LeftOut string `json:"leftOut,omitempty" doc:"what was too large"`
}

// States is where the tool state-save saves, nil for nowhere.
var States browser.Setting[*storagestate.Store]

// saveNamed writes a generation of the state that has a name.
func saveNamed(c *tool.Call, in saveNamedParams) (*savedState, error) {
	store := States.Of(c.Session.Browser.Config)
	if store == nil {
		return nil, provider.Errorf(provider.KindArgs,
			"a service for many clients keeps no states under names; save-state writes a file")
	}
	path, err := store.Path(in.Name)
	if err != nil {
		return nil, provider.Errorf(provider.KindArgs, "%w", err)
	}
	how, err := ready(store, path)
	if err != nil {
		return nil, provider.Errorf(provider.KindFailed, "%w", err)
	}
	text, big, err := kept.Of(c.Session).text(c.Ctx, c.Session, c.Engine, c.Context, store.Dir)
	if err != nil {
		return nil, c.Fail(err, "")
	}
	allowed := func(origin string) bool { return c.Session.Policy().At(origin) == nil }
	if text, err = storagestate.Only(text, allowed); err != nil { // a lent tab may be where the session may not go
		return nil, err
	}
	saved, err := put(store, in.Name, path, how, text)
	if err != nil {
		return nil, provider.Errorf(provider.KindFailed, "%w", err)
	}
	if big != nil {
		saved.LeftOut = big.Error()
	}
	return saved, nil
}

// put writes a state under a name.
func put(store *storagestate.Store, name, path, how string, text []byte) (*savedState, error) {
	names, err := storagestate.ReadNames(text)
	if err == nil {
		err = replace(text, path, store.Key)
	}
	if err != nil {
		return nil, fmt.Errorf("state %s is not saved: %w", name, err)
	}
	return &savedState{State: name, Cookies: len(names.Cookies), Origins: len(names.Origins), Kept: how}, nil
}

// Import saves a state of another program under a name, and returns what state-save answers. It
// reads a file of Playwright, or of agent-browser with its key.
func Import(store *storagestate.Store, name, file, agentBrowserKey string) (any, error) {
	path, err := store.Path(name)
	if err != nil {
		return nil, err
	}
	text, err := readImport(store, file, agentBrowserKey)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	how, err := ready(store, path)
	if err != nil {
		return nil, err
	}
	return put(store, name, path, how, text)
}

// readImport reads a state of another program, or one that state-save has written elsewhere.
func readImport(store *storagestate.Store, file, agentBrowserKey string) ([]byte, error) {
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return nil, errors.Unwrap(err)
	case !info.Mode().IsRegular():
		return nil, errors.New("it is no file")
	case info.Size() > storagestate.MaxImport:
		return nil, fmt.Errorf("it has more than %d MiB", storagestate.MaxImport>>20)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, errors.Unwrap(err)
	}
	if storagestate.OfAgentBrowser(file) {
		data, err = storagestate.OpenAgentBrowser(data, agentBrowserKey)
	} else {
		data, err = store.Key.Open(data)
	}
	if err != nil {
		return nil, err
	}
	return storagestate.Import(data)
}

// ready says how a store keeps states. It refuses a new name in a folder that has too many.
func ready(store *storagestate.Store, path string) (how string, err error) {
	if how, err = store.Ready(); err != nil {
		return "", err
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return how, err
	}
	list, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*.json"))
	if err == nil && len(list) >= maxSaved {
		err = fmt.Errorf("%d states are saved, which is the most; `pwpipe state-delete NAME` makes room", len(list))
	}
	return how, err
}

// Begin has a session begin with a state that was saved under a name. The session has no
// context yet.
func Begin(s *browser.Session, store *storagestate.Store, name string) error {
	path, err := store.Path(name)
	if err != nil {
		return err
	}
	text, err := sound(path, store.Key)
	if err == nil && text == nil {
		err = fmt.Errorf("no state is saved as %s; `pwpipe state-list` lists those that are", name)
	}
	if err == nil {
		kept.Of(s).begins = place{path, store.Key}
	}
	return err
}
