package storagestate

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"pwpipe/internal/script/strictjson"
)

// MaxImport bounds a file that [Import] reads, in bytes.
const MaxImport = 32 << 20

// imported is a state as Playwright or agent-browser writes it.
type imported struct {
	Cookies []importedCookie `json:"cookies"`
	Origins []importedOrigin `json:"origins"`
}

type importedCookie struct {
	Name         string   `json:"name"`
	Value        string   `json:"value"`
	Domain       string   `json:"domain"`
	Path         string   `json:"path"`
	Expires      *float64 `json:"expires,omitempty"` // seconds since 1970, -1 for a session's
	HTTPOnly     *bool    `json:"httpOnly,omitempty"`
	Secure       *bool    `json:"secure,omitempty"`
	SameSite     *string  `json:"sameSite,omitempty"`
	PartitionKey *string  `json:"partitionKey,omitempty"`
	// Playwright writes this beside the key.
	CrossAncestors *bool `json:"_crHasCrossSiteAncestor,omitempty"`

	// Only agent-browser writes these.
	Size    *float64 `json:"size,omitempty"`
	Session *bool    `json:"session,omitempty"`
}

// importedOrigin is what an origin has stored. The records of a database are any JSON, or
// Playwright's encoding of more.
type importedOrigin struct {
	Origin         string      `json:"origin"`
	LocalStorage   []savedItem `json:"localStorage"`
	SessionStorage []savedItem `json:"sessionStorage"`
	IndexedDB      []struct {
		Name    string  `json:"name"`
		Version float64 `json:"version"`
		Stores  []struct {
			Name          string   `json:"name"`
			KeyPath       *string  `json:"keyPath"`
			KeyPathArray  []string `json:"keyPathArray"`
			AutoIncrement bool     `json:"autoIncrement"`
			Indexes       []struct {
				Name         string   `json:"name"`
				KeyPath      *string  `json:"keyPath"`
				KeyPathArray []string `json:"keyPathArray"`
				MultiEntry   bool     `json:"multiEntry"`
				Unique       bool     `json:"unique"`
			} `json:"indexes"`
			Records []struct {
				Key          json.RawMessage `json:"key"`
				KeyEncoded   json.RawMessage `json:"keyEncoded"`
				Value        json.RawMessage `json:"value"`
				ValueEncoded json.RawMessage `json:"valueEncoded"`
			} `json:"records"`
		} `json:"stores"`
	} `json:"indexedDB"`
}

// Import reads a storage state that another program has written, Playwright or agent-browser,
// and returns it as a state of ours. Its names are exact, and an unknown member is an error.
func Import(text []byte) ([]byte, error) {
	if len(text) > MaxImport {
		return nil, fmt.Errorf("it has more than %d MiB", MaxImport>>20)
	}
	var in imported
	if err := strictjson.Decode(text, &in); err != nil {
		return nil, err
	}
	if in.Cookies == nil && in.Origins == nil {
		return nil, errors.New("it has neither cookies nor origins")
	}
	for i := range in.Cookies {
		if err := in.Cookies[i].check(); err != nil {
			return nil, fmt.Errorf("cookie %q: %w", in.Cookies[i].Name, err)
		}
	}
	for _, o := range in.Origins {
		if !isOrigin(o.Origin) {
			return nil, fmt.Errorf("origin %q: one such as https://shop.example is expected", o.Origin)
		}
	}
	// What origins have stored is kept as it was written: a decoded text has lost broken UTF-16.
	out := parts{Origins: []originParts{}}
	err := strictjson.Decode(text, &out)
	if err != nil {
		return nil, err
	}
	if out.Cookies, err = json.Marshal(append([]importedCookie{}, in.Cookies...)); err != nil {
		return nil, err
	}
	for i := range out.Origins {
		out.Origins[i].complete()
	}
	return out.text()
}

// complete makes what is missing or empty as Playwright writes it.
func (o *originParts) complete() {
	none := func(list json.RawMessage) bool {
		list = bytes.Join(bytes.Fields(list), nil)
		return len(list) == 0 || string(list) == "[]" || string(list) == "null"
	}
	if none(o.LocalStorage) {
		o.LocalStorage = json.RawMessage("[]")
	}
	if none(o.SessionStorage) {
		o.SessionStorage = nil
	}
	if none(o.IndexedDB) {
		o.IndexedDB = nil
	}
}

// check checks a cookie, and leaves out what only agent-browser writes.
func (c *importedCookie) check() error {
	switch {
	case c.Domain == "" || c.Path == "":
		return errors.New("a domain and a path are expected")
	case c.SameSite != nil && *c.SameSite != "Strict" && *c.SameSite != "Lax" && *c.SameSite != "None":
		return fmt.Errorf("sameSite: Strict, Lax or None is expected, got %q", *c.SameSite)
	case c.Expires != nil && *c.Expires < 0 && *c.Expires != -1:
		return errors.New("expires: seconds since 1970 or -1 are expected")
	}
	if c.Session != nil && *c.Session {
		ends := -1.0
		c.Expires = &ends
	}
	c.Size, c.Session = nil, nil
	return nil
}

// isOrigin recognises origins of the web: a restore goes to each of them.
func isOrigin(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.Scheme+"://"+u.Host == text
}

// AgentBrowserKey is the variable with the key that agent-browser encrypts its states with.
const AgentBrowserKey = "AGENT_BROWSER_ENCRYPTION_KEY"

// OfAgentBrowser reports whether agent-browser gives a file of this name to a state that it
// has encrypted.
func OfAgentBrowser(name string) bool {
	return strings.HasSuffix(strings.TrimSuffix(name, ".previous"), ".json.enc")
}

// OpenAgentBrowser decrypts a state of agent-browser: a nonce, and the text under AES-256-GCM
// with the SHA-256 sum of the key.
func OpenAgentBrowser(data []byte, key string) ([]byte, error) {
	if key == "" {
		return nil, errors.New("agent-browser has encrypted it: give its key in " + AgentBrowserKey)
	}
	if len(data) < nonceLength {
		return nil, errors.New("it is cut off")
	}
	sum := sha256.Sum256([]byte(key))
	aead, err := sealer(sum[:])
	if err != nil {
		return nil, err
	}
	text, err := aead.Open(nil, nil, data, nil)
	if err != nil {
		return nil, errors.New("agent-browser has encrypted it with another key than " + AgentBrowserKey +
			" has, or it was changed")
	}
	return text, nil
}
