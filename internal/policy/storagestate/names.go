package storagestate

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"pwpipe/internal/script/strictjson"
)

// Names lists what a storage state holds, without the values.
type Names struct {
	Cookies []CookieName `json:"cookies"`
	Origins []OriginName `json:"origins"`
}

// CookieName is a cookie without its value.
type CookieName struct {
	Name    string  `json:"name"`
	Domain  string  `json:"domain"`
	Path    string  `json:"path"`
	Expires float64 `json:"expires"` // seconds since 1970, -1 for a session's
}

// OriginName lists what an origin stores, without the values.
type OriginName struct {
	Origin         string   `json:"origin"`
	LocalStorage   []string `json:"localStorage"`   // names of items
	SessionStorage []string `json:"sessionStorage"` // names of items
	IndexedDB      []string `json:"indexedDB"`      // names of databases
}

// ReadNames reads the names in a storage state.
func ReadNames(text []byte) (n Names, err error) {
	var in saved
	if err := strictjson.Decode(text, &in); err != nil {
		return n, err
	}
	n = Names{Cookies: []CookieName{}, Origins: []OriginName{}}
	for _, c := range in.Cookies {
		one := CookieName{c.Name, value(cmp.Or(c.Domain, c.URL)), value(c.Path), -1}
		if c.Expires != nil {
			one.Expires = *c.Expires
		}
		n.Cookies = append(n.Cookies, one)
	}
	for _, o := range in.Origins {
		one := OriginName{Origin: o.Origin, IndexedDB: []string{},
			LocalStorage: namesOf(o.LocalStorage), SessionStorage: namesOf(o.SessionStorage)}
		var databases []struct {
			Name string `json:"name"`
		}
		if len(o.IndexedDB) > 0 {
			if err := json.Unmarshal(o.IndexedDB, &databases); err != nil {
				return n, fmt.Errorf("indexedDB of %s: %w", o.Origin, err)
			}
		}
		for _, d := range databases {
			one.IndexedDB = append(one.IndexedDB, d.Name)
		}
		n.Origins = append(n.Origins, one)
	}
	return n, nil
}

func namesOf(items []savedItem) []string {
	names := []string{}
	for _, item := range items {
		names = append(names, item.Name)
	}
	slices.Sort(names)
	return names
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
