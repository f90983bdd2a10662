// Package storagestate reads Playwright's storage-state format: the cookies and the local
// storage of a context, as files and clients give them.
package storagestate

import (
	"encoding/json"

	"github.com/playwright-community/playwright-go"

	"pwpipe/internal/script/strictjson"
)

type saved struct {
	Cookies []savedCookie `json:"cookies"`
	Origins []savedOrigin `json:"origins"`
}

type savedCookie struct {
	Name     string   `json:"name"`
	Value    string   `json:"value"`
	URL      *string  `json:"url"`
	Domain   *string  `json:"domain"`
	Path     *string  `json:"path"`
	Expires  *float64 `json:"expires"` // seconds since 1970, -1 for a session's
	HTTPOnly *bool    `json:"httpOnly"`
	Secure   *bool    `json:"secure"`
	SameSite *string  `json:"sameSite"` // Strict, Lax or None

	PartitionKey *string `json:"partitionKey"`
	// Playwright writes this beside the key, for itself; playwright-go lacks it.
	CrossAncestors json.RawMessage `json:"_crHasCrossSiteAncestor"`
}

type savedOrigin struct {
	Origin       string          `json:"origin"`
	LocalStorage []savedItem     `json:"localStorage"`
	IndexedDB    json.RawMessage `json:"indexedDB"` // left out: playwright-go takes none
	// Only pwpipe writes it. It is left out, too: SplitSession reads it.
	SessionStorage []savedItem `json:"sessionStorage"`
}

type savedItem struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Parse reads a storage state. Its names are exact, and an unknown member is an error.
func Parse(text []byte) (*playwright.OptionalStorageState, error) {
	var in saved
	if err := strictjson.Decode(text, &in); err != nil {
		return nil, err
	}
	out := &playwright.OptionalStorageState{}
	for _, c := range in.Cookies {
		out.Cookies = append(out.Cookies, playwright.OptionalCookie{Name: c.Name, Value: c.Value, URL: c.URL, Domain: c.Domain,
			Path: c.Path, Expires: c.Expires, HttpOnly: c.HTTPOnly, Secure: c.Secure, SameSite: (*playwright.SameSiteAttribute)(c.SameSite),
			PartitionKey: c.PartitionKey})
	}
	for _, o := range in.Origins {
		origin := playwright.Origin{Origin: o.Origin}
		for _, item := range o.LocalStorage {
			origin.LocalStorage = append(origin.LocalStorage, playwright.NameValue{Name: item.Name, Value: item.Value})
		}
		out.Origins = append(out.Origins, origin)
	}
	return out, nil
}
