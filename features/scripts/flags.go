package scripts

import (
	"errors"

	"github.com/spf13/pflag"

	"pwpipe/cmd/program"
	"pwpipe/handlers"
)

// flags bound the process of a session's scripts.
type flags struct{ memory int64 } // MiB

func newFlags(string) program.Flags { return &flags{} }

func (o *flags) Register(f *pflag.FlagSet, cfg *handlers.Config) {
	f.Int64Var(&o.memory, "script-memory", 512, "MiB that the process of a session's scripts may hold")
	f.BoolVar(&cfg.Scripts.Weak, "weak-scripts", false,
		"with a domain policy, run scripts even where their process can't be cut off from the network")
}

// Into bounds the memory of scripts.
func (o *flags) Into(s *program.Setup) error {
	if o.memory < 128 {
		return errors.New("--script-memory: expected at least 128 MiB")
	}
	s.Scripts.Memory = o.memory << 20
	return nil
}
