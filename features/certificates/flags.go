package certificates

import (
	"errors"
	"fmt"
	"os"

	"github.com/playwright-community/playwright-go"
	"github.com/spf13/pflag"

	"pwpipe/cmd/program"
	"pwpipe/features/certificates/clientcerts"
	"pwpipe/handlers"
)

// flags say which client certificates sites get that ask for one.
type flags struct{ file string }

func newFlags(string) program.Flags { return &flags{} }

const flag = "client-certificates"

func (o *flags) Register(f *pflag.FlagSet, _ *handlers.Config) {
	f.StringVar(&o.file, flag, "",
		"JSON file of certificates for sites that ask for one: origin, certPath and keyPath or pfxPath, passphrase")
}

// Into reads the certificates that the flag names. Without the flag it reads the ones in a
// configuration of Playwright MCP.
func (o *flags) Into(s *program.Setup) (err error) {
	list := program.Certificates.Of(*s.Config)
	var all []clientcerts.Certificate
	switch {
	case o.file == "" && list == nil:
		return nil
	case s.Attached():
		return errors.New("--client-certificates belongs to a browser that pwpipe starts; " +
			"leave it out with --cdp, --ws and --grid")
	case s.UserDataDir != "":
		return errors.New("--client-certificates: pages of a profile folder have no certificates of ours; " +
			"leave out --user-data-dir")
	case o.file != "":
		s.Controls = append(s.Controls, o.file)
		all, err = clientcerts.Load(o.file, s.Secrets)
	default:
		var cwd string
		if cwd, err = os.Getwd(); err == nil {
			all, err = clientcerts.Parse(list, cwd, s.Secrets)
		}
	}
	if err != nil {
		return fmt.Errorf("--client-certificates: %w", err)
	}
	for _, c := range all {
		s.Private[flag] = append(s.Private[flag], c.KeyFile)
		s.Controls = append(s.Controls, c.Files...)
		s.ClientCertificates = append(s.ClientCertificates, playwright.ClientCertificate{
			Origin: c.Origin, Cert: c.Cert, Key: c.Key, Pfx: c.Pfx, Passphrase: &c.Passphrase})
	}
	return nil
}
