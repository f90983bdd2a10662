// Package clientcerts reads the client certificates that sites may ask for, from a file as
// Playwright's option clientCertificates has them. Only who starts pwpipe names that file.
package clientcerts

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"pwpipe/features/login/logins"
	"pwpipe/internal/machine/writefile"
	"pwpipe/internal/script/strictjson"
	"pwpipe/internal/text/secrets"
)

// Certificate is one certificate with its key, for one origin: either Cert and Key, or Pfx.
type Certificate struct {
	Origin         string
	Cert, Key, Pfx []byte
	Passphrase     string   // of the key, "" for none
	KeyFile        string   // where the key was read: keyPath or pfxPath
	Files          []string // all that were read
}

// inFile is a certificate as it stands in the file.
type inFile struct {
	Origin     string `json:"origin"`
	CertPath   string `json:"certPath"`
	KeyPath    string `json:"keyPath"`
	PfxPath    string `json:"pfxPath"`
	Passphrase string `json:"passphrase"`
}

// Load reads a file. Paths in it are relative to it.
func Load(file string, store *secrets.Store) ([]Certificate, error) {
	text, err := writefile.Config(file)
	if err != nil {
		return nil, err
	}
	all, err := Parse(text, filepath.Dir(file), store)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return all, nil
}

// Parse reads a file's text. Paths in it are relative to dir. A passphrase {{NAME}} is the secret
// of that name, which from then on nothing else can use. Errors quote no passphrase.
func Parse(text []byte, dir string, store *secrets.Store) (all []Certificate, err error) {
	var list []inFile
	if err := strictjson.Decode(text, &list); err != nil {
		return nil, fmt.Errorf("expected a list of certificates: %w", err)
	}
	if len(list) == 0 {
		return nil, errors.New("there are no certificates in it")
	}
	for i, in := range list {
		c, err := in.read(dir)
		if err == nil {
			c.Passphrase, err = in.passphrase(store)
		}
		if err != nil {
			return nil, fmt.Errorf("certificate %d: %w", i+1, err)
		}
		all = append(all, c)
	}
	return all, nil
}

// read checks a certificate of the file, and reads its files.
func (in inFile) read(dir string) (c Certificate, err error) {
	if c.Origin, err = logins.Origin(in.Origin); err != nil {
		return c, fmt.Errorf("origin: %w", err)
	}
	switch pem := in.CertPath != "" && in.KeyPath != ""; {
	case !strings.HasPrefix(c.Origin, "https:"):
		return c, errors.New("origin: certificates belong to https")
	case in.PfxPath == "" && !pem:
		return c, errors.New("give certPath and keyPath, or pfxPath")
	case in.PfxPath != "" && in.CertPath+in.KeyPath != "":
		return c, errors.New("give certPath and keyPath, or pfxPath, not both")
	}
	for _, f := range []struct {
		key, path string
		to        *[]byte
	}{{"certPath", in.CertPath, &c.Cert}, {"keyPath", in.KeyPath, &c.Key}, {"pfxPath", in.PfxPath, &c.Pfx}} {
		if f.path == "" {
			continue
		}
		if !filepath.IsAbs(f.path) {
			f.path = filepath.Join(dir, f.path)
		}
		c.Files = append(c.Files, f.path)
		if f.to != &c.Cert {
			c.KeyFile = f.path
		}
		if *f.to, err = writefile.Read(f.path, writefile.MaxConfig); err == nil && len(*f.to) == 0 {
			err = fmt.Errorf("%s is empty", f.path)
		}
		if err != nil {
			return c, fmt.Errorf("%s: %w", f.key, err)
		}
	}
	return c, nil
}

var reSecret = regexp.MustCompile(`^\{\{([A-Za-z0-9_]+)\}\}$`)

// passphrase looks up a secret that the file names, and keeps it from requests.
func (in inFile) passphrase(store *secrets.Store) (string, error) {
	m := reSecret.FindStringSubmatch(in.Passphrase)
	if m == nil {
		return in.Passphrase, nil
	}
	if store != nil {
		if value, known := store.Value(m[1]); known {
			store.Pin(m[1], "the client certificate of "+in.Origin)
			return value, nil
		}
	}
	return "", fmt.Errorf("no secret named %s; --secrets names the file that has it", m[1])
}
