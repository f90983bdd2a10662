package handlers

import (
	"encoding/json"

	"pwpipe/provider"
)

func storageTools() []*provider.Tool {
	return []*provider.Tool{
		onPage(State_.Reads("storage", "Storage", "Get the page's local or session storage, or one item of it (null if it has none)"), getStorage),
		onPageDo(State_.Acts("set-storage", "Set storage", "Set an item of the page's local or session storage"), setStorage),
		onPageDo(State_.Destroys("clear-storage", "Clear storage", "Remove an item of the page's local or session storage, or all"), clearStorage),
	}
}

type storageParams struct {
	Key  string `json:"key,omitempty" doc:"item; nothing for all"`
	Kind string `json:"kind,omitempty" doc:"which storage" enum:"local,session" default:"local"`
}

type setStorageParams struct {
	Key   string `json:"key" doc:"item"`
	Value string `json:"value" doc:"text to keep"`
	Kind  string `json:"kind,omitempty" doc:"which storage" enum:"local,session" default:"local"`
}

// onStorage runs a script with the storage s and the arguments a. Not every
// document has storage: a blank page and a sandboxed frame have not.
func (c *call) onStorage(script, kind string, args ...string) (json.RawMessage, error) {
	v, err := c.frame().Evaluate(`([kind, a]) => {
		const s = kind === 'local' ? localStorage : sessionStorage;
		return JSON.stringify((`+script+`) ?? null);
	}`, []any{kind, args})
	if err != nil {
		if mentions(err, "SecurityError") || mentions(err, "Access is denied") {
			return nil, provider.Errorf(provider.KindFailed, "this document has no %s storage: %s", kind, c.where()).
				WithHint("go to a page of the site first")
		}
		return nil, c.evalError(err)
	}
	text, _ := v.(string)
	return json.RawMessage(text), nil
}

// getStorage reads window.localStorage or sessionStorage.
func getStorage(c *call, in storageParams) (json.RawMessage, error) {
	if in.Key != "" {
		return c.onStorage("s.getItem(a[0])", in.Kind, in.Key)
	}
	return c.onStorage("Object.fromEntries(Object.keys(s).map(k => [k, s.getItem(k)]))", in.Kind)
}

// setStorage sets an item of window.localStorage or sessionStorage.
func setStorage(c *call, in setStorageParams) error {
	_, err := c.onStorage("s.setItem(a[0], a[1])", in.Kind, in.Key, in.Value)
	return err
}

// clearStorage removes items of window.localStorage or sessionStorage.
func clearStorage(c *call, in storageParams) error {
	script := "s.clear()"
	if in.Key != "" {
		script = "s.removeItem(a[0])"
	}
	_, err := c.onStorage(script, in.Kind, in.Key)
	return err
}
