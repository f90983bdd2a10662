// Package routedid makes ids that name the service they belong to, so that a
// balancer can route by id.
package routedid

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/google/uuid"
)

// New is an id: its kind, the name of the service unless that is "", and a UUID, with
// "_" between them.
func New(kind, service string) string {
	if service != "" {
		kind += "_" + service
	}
	return kind + "_" + uuid.NewString()
}

// Of is the service that an id names, "" for none.
func Of(id string) string {
	part := strings.Split(id, "_")
	if len(part) != 3 || !reName.MatchString(part[1]) {
		return ""
	}
	return part[1]
}

// reName is what a service may be called: a name of DNS, without dots, so that it can
// be one in every balancer too.
var reName = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$`)

// Check says why a service can't be called so, nil if it can.
func Check(name string) error {
	if name != "" && !reName.MatchString(name) {
		return fmt.Errorf("expected at most 63 letters, digits and hyphens, such as pwpipe-0, got %.100q", name)
	}
	return nil
}

// Short is enough of an id to recognise it, and too little to use it: an id is all
// that it takes to use a session.
func Short(id string) string {
	most := 10
	if name := Of(id); name != "" {
		most += len(name) + 1
	}
	if len(id) > most {
		return id[:most] + "…"
	}
	return id
}
