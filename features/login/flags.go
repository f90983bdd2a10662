package login

import (
	"fmt"

	"github.com/spf13/pflag"

	"pwpipe/cmd/program"
	"pwpipe/features/login/logins"
	"pwpipe/handlers"
	"pwpipe/internal/text/secrets"
)

// flags name the file of log-ins.
type flags struct {
	file string
	book *logins.Book // of the file
}

func newFlags(string) program.Flags { return &flags{} }

func (o *flags) Register(f *pflag.FlagSet, _ *handlers.Config) {
	f.StringVar(&o.file, "logins", "", "TOML file of log-ins; the tool login uses them and never shows their values")
}

// ReadSecrets reads the log-ins, whose values are secrets.
func (o *flags) ReadSecrets(store func() *secrets.Store) (err error) {
	if o.file == "" {
		return nil
	}
	if o.book, err = logins.Load(o.file, store()); err != nil {
		return fmt.Errorf("--logins: %w", err)
	}
	o.book.KeepUsed(program.UsedFolder)
	return nil
}

// Into gives the browser the log-ins.
func (o *flags) Into(s *program.Setup) error {
	Give(s.Config, o.book)
	if o.book != nil {
		s.Controls = append(append(s.Controls, o.file), o.book.Files()...)
	}
	return nil
}
