package program

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"pwpipe/handlers"
	"pwpipe/internal/policy"
	"pwpipe/internal/text/secrets"
)

type GuardOptions struct {
	policy.Options
	AllowDirs   []string
	OutputDir   string
	secretsFile string
	boundaries  bool

	Secrets *secrets.Store // of secretsFile, once it is read
}

func (o *GuardOptions) register(f *pflag.FlagSet) {
	f.Var((*domainList)(&o.Allowed), "allowed-domains",
		"reach these hosts and their subdomains only (comma-separated; ALLOWED_DOMAINS)")
	f.Var((*domainList)(&o.Blocked), "blocked-domains",
		"never reach these hosts and their subdomains; wins over --allowed-domains (BLOCKED_DOMAINS)")
	f.BoolVar(&o.BlockPrivate, "block-private", false, "refuse loopback, private-network and metadata addresses")
	f.BoolVar(&o.AllowFile, "allow-file", false, "allow file: and the browser's own pages (not with --allowed-domains)")
	f.StringSliceVar(&o.AllowDirs, "allow-dir", nil, "tools read and write files in these folders only (default: the working directory and the temporary folder)")
	f.StringVar(&o.secretsFile, "secrets", "", "dotenv file: {{NAME}} in a request stands for its value, which pwpipe masks in everything that it sends out")
	f.BoolVar(&o.boundaries, "content-boundaries", false, "put text from pages between markers that no page can guess")
	f.StringVar(&o.OutputDir, "output-dir", "", "folder for files that tools name by themselves (default: the temporary folder)")
}

// into gives a configuration the policy, and what keeps secrets. A list that is set in the
// environment but empty is a list: a deployment that lost its value must not be open.
func (o *GuardOptions) into(cfg *handlers.Config) (err error) {
	(*domainList)(&o.Allowed).fromEnvironment("ALLOWED_DOMAINS", envName("allowed-domains"))
	(*domainList)(&o.Blocked).fromEnvironment("BLOCKED_DOMAINS", envName("blocked-domains"))
	if o.Secrets != nil {
		cfg.Mask, cfg.Unresolve = o.Secrets.Mask, o.Secrets.Name
	}
	cfg.Policy, err = policy.New(o.Options)
	return err
}

// readSecrets reads the secrets, and those of features. `pwpipe mcp` may have secrets already.
func (o *GuardOptions) readSecrets(flags []Flags) (err error) {
	if o.Secrets == nil && o.secretsFile != "" {
		set, err := secrets.Load(o.secretsFile)
		if err != nil {
			return fmt.Errorf("--secrets: %w", err)
		}
		o.Secrets = secrets.NewStore(set)
	}
	store := func() *secrets.Store {
		if o.Secrets == nil {
			o.Secrets = secrets.NewStore(nil)
		}
		return o.Secrets
	}
	for _, f := range flags {
		if own, ok := f.(Secretive); ok {
			if err := own.ReadSecrets(store); err != nil {
				return err
			}
		}
	}
	return nil
}

// domainList is a flag of comma-separated hosts; nil where it was not given.
type domainList []string

func (d *domainList) String() string { return strings.Join(*d, ",") }
func (d *domainList) Type() string   { return "hosts" }

// Set adds hosts, so that the flag can be given twice.
func (d *domainList) Set(s string) error {
	if *d == nil {
		*d = domainList{}
	}
	*d = append(*d, policy.Split(s)...)
	return nil
}

func (d *domainList) fromEnvironment(names ...string) {
	for _, name := range names {
		if value, ok := os.LookupEnv(name); ok && *d == nil {
			_ = d.Set(value)
		}
	}
}
