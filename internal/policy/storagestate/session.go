package storagestate

import (
	"bytes"
	"encoding/json"
	"slices"

	"pwpipe/internal/script/strictjson"
)

// SessionStorage is what the pages of an origin store for the time of their tab. Playwright's
// format has no place for it: a state has it in a member sessionStorage beside localStorage.
type SessionStorage struct {
	Origin string
	Items  json.RawMessage // an array of {"name": …, "value": …}; broken UTF-16 in it stays
}

// parts are the members of a state, as they are written.
type parts struct {
	Cookies json.RawMessage `json:"cookies"`
	Origins []originParts   `json:"origins"`
}

type originParts struct {
	Origin         string          `json:"origin"`
	LocalStorage   json.RawMessage `json:"localStorage"`
	IndexedDB      json.RawMessage `json:"indexedDB,omitempty"`
	SessionStorage json.RawMessage `json:"sessionStorage,omitempty"`
}

// WithSession adds session storage to a state.
func WithSession(text []byte, list []SessionStorage) ([]byte, error) {
	if len(list) == 0 {
		return text, nil
	}
	var p parts
	if err := strictjson.Decode(text, &p); err != nil {
		return nil, err
	}
	for _, s := range list {
		i := slices.IndexFunc(p.Origins, func(o originParts) bool { return o.Origin == s.Origin })
		if i < 0 {
			i = len(p.Origins)
			p.Origins = append(p.Origins, originParts{Origin: s.Origin, LocalStorage: json.RawMessage("[]")})
		}
		p.Origins[i].SessionStorage = s.Items
	}
	return p.text()
}

// SplitSession splits a state into what Playwright restores and the session storage.
func SplitSession(text []byte) (state []byte, list []SessionStorage, err error) {
	var p parts
	if err := strictjson.Decode(text, &p); err != nil {
		return nil, nil, err
	}
	rest := []originParts{}
	for _, o := range p.Origins {
		if len(o.SessionStorage) > 0 {
			list = append(list, SessionStorage{o.Origin, o.SessionStorage})
			o.SessionStorage = nil
		}
		if len(o.IndexedDB) > 0 || string(o.LocalStorage) != "[]" { // Playwright visits each origin
			rest = append(rest, o)
		}
	}
	if list == nil {
		return text, nil, nil
	}
	p.Origins = rest
	state, err = p.text()
	return state, list, err
}

// Only leaves out what origins have stored that are not to be kept.
func Only(text []byte, keep func(origin string) bool) ([]byte, error) {
	var p parts
	if err := strictjson.Decode(text, &p); err != nil {
		return nil, err
	}
	all := len(p.Origins)
	p.Origins = slices.DeleteFunc(p.Origins, func(o originParts) bool { return !keep(o.Origin) })
	if len(p.Origins) == all {
		return text, nil
	}
	return p.text()
}

func (p parts) text() ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err := e.Encode(p)
	return out.Bytes(), err
}
