package program

import (
	"errors"
	"fmt"
	"os"

	"github.com/playwright-community/playwright-go"
	"github.com/spf13/pflag"

	"pwpipe/handlers"
	"pwpipe/internal/policy/clientcerts"
	"pwpipe/internal/text/secrets"
)

// clientCertOptions say which client certificates sites get that ask for one.
type clientCertOptions struct {
	file string
	list []byte // of a configuration file of Playwright MCP

	keyFiles []string // where keys were read
	files    []string // all that were read
}

func (o *clientCertOptions) register(f *pflag.FlagSet) {
	f.StringVar(&o.file, "client-certificates", "",
		"JSON file of certificates for sites that ask for one: origin, certPath and keyPath or pfxPath, passphrase")
}

func (o *clientCertOptions) into(cfg *handlers.Config, store *secrets.Store) (err error) {
	var all []clientcerts.Certificate
	switch {
	case o.file == "" && o.list == nil:
		return nil
	case cfg.Attached():
		return errors.New("--client-certificates belongs to a browser that pwpipe starts; " +
			"leave it out with --cdp, --ws and --grid")
	case cfg.PAC != "":
		return errors.New("--client-certificates: the sites are reached by a proxy of ours; leave out --proxy-pac")
	case cfg.UserDataDir != "":
		return errors.New("--client-certificates: pages of a profile folder have no certificates of ours; " +
			"leave out --user-data-dir")
	case o.file != "":
		all, err = clientcerts.Load(o.file, store)
	default:
		var cwd string
		if cwd, err = os.Getwd(); err == nil {
			all, err = clientcerts.Parse(o.list, cwd, store)
		}
	}
	if err != nil {
		return fmt.Errorf("--client-certificates: %w", err)
	}
	for _, c := range all {
		o.keyFiles, o.files = append(o.keyFiles, c.KeyFile), append(o.files, c.Files...)
		cfg.ClientCertificates = append(cfg.ClientCertificates, playwright.ClientCertificate{
			Origin: c.Origin, Cert: c.Cert, Key: c.Key, Pfx: c.Pfx, Passphrase: &c.Passphrase})
	}
	return nil
}
