package main

import (
	"errors"

	"github.com/spf13/pflag"

	"pwpipe/handlers"
	"pwpipe/provider"
)

// scriptOptions are the flags about scripts.
type scriptOptions struct {
	memory int64 // MiB
	weak   bool
}

func (o *scriptOptions) register(f *pflag.FlagSet) {
	f.Int64Var(&o.memory, "script-memory", 512, "MiB that the process of a session's scripts may hold")
	f.BoolVar(&o.weak, "weak-scripts", false, "with a domain policy, run scripts even where their process can't be cut off from the network")
}

// into checks the flags, and puts them into the configuration.
func (o *scriptOptions) into(cfg *handlers.Config) error {
	if o.memory < 128 {
		return errors.New("--script-memory: expected at least 128 MiB")
	}
	cfg.Scripts.Memory, cfg.Scripts.Weak = o.memory<<20, o.weak
	return nil
}

// early has the process of scripts started with a session's first page, where
// the tools that are listed have scripts.
func early(b *handlers.Browser, listed []*provider.Tool) {
	for _, t := range listed {
		if t.Name == "execute" {
			b.Config.Scripts.Early = true
		}
	}
}
