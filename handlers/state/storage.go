package state

import (
	"encoding/json"

	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// StorageParams are the parameters of [Storage] and [ClearStorage].
type StorageParams struct {
	Key  string `json:"key,omitempty" doc:"item; nothing for all"`
	Kind string `json:"kind,omitempty" doc:"which storage" enum:"local,session" default:"local"`
}

// SetStorageParams are the parameters of [SetStorage].
type SetStorageParams struct {
	Key   string `json:"key" doc:"item"`
	Value string `json:"value" doc:"text to keep"`
	Kind  string `json:"kind,omitempty" doc:"which storage" enum:"local,session" default:"local"`
}

// onStorage runs a script with the storage s and the arguments a. Some documents have
// no storage, such as a blank page and a sandboxed frame.
func onStorage(c *tool.Call, script, kind string, args ...string) (json.RawMessage, error) {
	v, err := tool.Frame(c.Page).Evaluate(`([kind, a]) => {
		const s = kind === 'local' ? localStorage : sessionStorage;
		return JSON.stringify((`+script+`) ?? null);
	}`, []any{kind, args})
	if err != nil {
		if pwerrors.IsNoStorage(err) {
			return nil, provider.Errorf(provider.KindFailed, "this document has no %s storage: %s", kind, c.Where()).
				WithHint("go to a page of the site first")
		}
		return nil, c.EvalError(err)
	}
	text, _ := v.(string)
	return json.RawMessage(text), nil
}

// getStorage reads window.localStorage or sessionStorage.
func getStorage(c *tool.Call, in StorageParams) (json.RawMessage, error) {
	if in.Key != "" {
		return onStorage(c, "s.getItem(a[0])", in.Kind, in.Key)
	}
	return onStorage(c, "Object.fromEntries(Object.keys(s).map(k => [k, s.getItem(k)]))", in.Kind)
}

// setStorage sets an item of window.localStorage or sessionStorage.
func setStorage(c *tool.Call, in SetStorageParams) error {
	_, err := onStorage(c, "s.setItem(a[0], a[1])", in.Kind, in.Key, in.Value)
	return err
}

// clearStorage removes items of window.localStorage or sessionStorage.
func clearStorage(c *tool.Call, in StorageParams) error {
	script := "s.clear()"
	if in.Key != "" {
		script = "s.removeItem(a[0])"
	}
	_, err := onStorage(c, script, in.Kind, in.Key)
	return err
}
