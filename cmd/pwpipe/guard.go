package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/spf13/pflag"

	"pwpipe/internal/policy"
	"pwpipe/internal/policy/logins"
	"pwpipe/internal/text/secrets"
	"pwpipe/provider"
)

// guardOptions are the flags that restrict what a browser may reach.
type guardOptions struct {
	allowed, blocked domainList
	blockPrivate     bool
	allowFile        bool
	allowDirs        []string
	outputDir        string
	secretsFile      string
	loginsFile       string
	boundaries       bool
	pattern          *regexp.Regexp // what URLs must match, nil for none

	secrets *secrets.Store // of secretsFile, once it is read
	logins  *logins.Book   // of loginsFile
}

func (o *guardOptions) register(f *pflag.FlagSet) {
	f.Var(&o.allowed, "allowed-domains", "reach these hosts and their subdomains only (comma-separated; ALLOWED_DOMAINS)")
	f.Var(&o.blocked, "blocked-domains", "never reach these hosts and their subdomains; wins over --allowed-domains (BLOCKED_DOMAINS)")
	f.BoolVar(&o.blockPrivate, "block-private", false, "refuse loopback, private-network and metadata addresses")
	f.BoolVar(&o.allowFile, "allow-file", false, "allow file: and the browser's own pages (not with --allowed-domains)")
	f.StringSliceVar(&o.allowDirs, "allow-dir", nil, "tools read and write files in these folders only (default: the working directory and the temporary folder)")
	f.StringVar(&o.secretsFile, "secrets", "", "dotenv file: {{NAME}} in a request stands for its value, which pwpipe masks in everything that it sends out")
	f.StringVar(&o.loginsFile, "logins", "", "TOML file of log-ins; the tool login uses them and never shows their values")
	f.BoolVar(&o.boundaries, "content-boundaries", false, "put text from pages between markers that no page can guess")
	f.StringVar(&o.outputDir, "output-dir", "", "folder for files that tools name by themselves (default: the temporary folder)")
}

// policy makes the policy. A list that is set in the environment but empty is
// a list: a deployment that lost its value must not be open.
func (o *guardOptions) policy() (*policy.Policy, error) {
	o.allowed.fromEnvironment("ALLOWED_DOMAINS", envName("allowed-domains"))
	o.blocked.fromEnvironment("BLOCKED_DOMAINS", envName("blocked-domains"))
	return policy.New(policy.Options{Allowed: o.allowed.list, Blocked: o.blocked.list,
		BlockPrivate: o.blockPrivate, AllowFile: o.allowFile, Pattern: o.pattern})
}

// readSecrets reads the secrets and the log-ins, once.
func (o *guardOptions) readSecrets() error {
	if o.secrets == nil && (o.secretsFile != "" || o.loginsFile != "") {
		var set *secrets.Set
		if o.secretsFile != "" {
			var err error
			if set, err = secrets.Load(o.secretsFile); err != nil {
				return fmt.Errorf("--secrets: %w", err)
			}
		}
		o.secrets = secrets.NewStore(set)
	}
	if o.loginsFile != "" && o.logins == nil {
		var err error
		if o.logins, err = logins.Load(o.loginsFile, o.secrets); err != nil {
			return fmt.Errorf("--logins: %w", err)
		}
	}
	return nil
}

// protect has a table mask secrets and mark what pages say.
func (o *guardOptions) protect(rules *provider.TableOptions) {
	if o.secrets != nil {
		rules.Secrets = o.secrets
	}
	rules.Boundaries = o.boundaries
}

// announce says what the marks are, where there are any.
func announce(t *provider.Table) {
	if begin, end := t.Boundaries(); begin != "" {
		fmt.Fprintf(os.Stderr, "pwpipe: what pages say stands between %s and %s\n", begin, end)
	}
}

// domainList is a flag of comma-separated hosts; nil where it was not given.
type domainList struct{ list []string }

func (d *domainList) String() string { return strings.Join(d.list, ",") }
func (d *domainList) Type() string   { return "hosts" }

// Set adds hosts, so that the flag can be given twice.
func (d *domainList) Set(s string) error {
	if d.list == nil {
		d.list = []string{}
	}
	d.list = append(d.list, policy.Split(s)...)
	return nil
}

func (d *domainList) fromEnvironment(names ...string) {
	for _, name := range names {
		if value, ok := os.LookupEnv(name); ok && d.list == nil {
			_ = d.Set(value)
		}
	}
}
