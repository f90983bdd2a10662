package program

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"pwpipe/internal/policy"
	"pwpipe/provider/service"
)

// readKeys reads the file of --keys, before the service is there. Its hosts narrow the
// service's policy, and are enforced by a filtering proxy of each session.
func (o *serveOptions) readKeys() (err error) {
	if o.keys == "" {
		return nil
	}
	if o.door.APIKey != "" {
		return errors.New("--keys takes the place of API_KEY; leave that out")
	}
	o.Controls = append(o.Controls, o.keys)
	own, err := policy.New(o.Guard.Options)
	if err != nil {
		return err
	}
	allow := func(hosts []string) (*policy.Policy, error) {
		narrow := o.Guard.Options
		narrow.AllowFile = false
		narrow.Allowed = slices.Clone(hosts)
		return policy.New(narrow)
	}
	check := func(hosts []string) error {
		switch {
		case o.Attached():
			return errors.New("they can't be enforced in a browser that pwpipe did not start")
		case !own.Guards():
			return errors.New("they narrow a policy, and the service has none: set --allowed-domains, or --allow-host-regex to something else than .*")
		}
		for _, h := range hosts {
			if err := own.Host(h); err != nil {
				return fmt.Errorf("%s: %w, by the service's own policy", h, err)
			}
		}
		_, err := allow(hosts)
		return err
	}
	o.pool.Allow = allow
	o.door.Keys, err = service.ReadKeys(o.keys, check)
	return err
}

// writeKey prints a new key, and the entry that lets it in.
func writeKey(w io.Writer, team string) error {
	if err := service.CheckTeamName(team); err != nil {
		return fmt.Errorf("--new-key: %w", err)
	}
	key, hash := service.NewKey()
	_, err := fmt.Fprintf(w, "key:   %s\nentry: {\"name\": %q, \"keys\": [%q]}\n", key, team, hash)
	return err
}
