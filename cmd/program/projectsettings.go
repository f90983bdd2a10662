package program

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// The lists of hosts, which variables without prefix set too.
const (
	allowedDomains = "allowed-domains"
	blockedDomains = "blocked-domains"
)

// OfProjects are the flags that a file in a project's folder may set. It may have come
// with somebody else's project: so nothing in it starts a program of its choice, opens
// the browser to what is kept from it, or gives away files.
var OfProjects = []string{allowedDomains, "base-url", "block-private", blockedDomains, "content-boundaries",
	"frame-rate", "headed", "idle", "lang", "log-level", "max-pages", "no-execute", "page-tools", "site", "timeout", "tools", withoutFlag}

// Those of them that are walls: a project can build some, and take none of the user's away.
var (
	wallSwitches = []string{"block-private", "content-boundaries", "no-execute"}
	wallLimits   = []string{allowedDomains, "max-pages", "tools"}
)

func checkProjects(f *pflag.Flag, value string) error {
	if value == "" {
		return errors.New("an empty value says nothing, and a project's file may not have it")
	}
	if slices.Contains(wallSwitches, f.Name) {
		if _, err := strconv.ParseBool(value); err != nil {
			return fmt.Errorf("expected true or false, got %q", value)
		}
		return nil
	}
	if f.Name != "max-pages" {
		return nil
	}
	most, err := strconv.Atoi(f.DefValue)
	if err != nil {
		return err
	}
	if n, err := strconv.Atoi(value); err != nil || n < 1 || n > most {
		return fmt.Errorf("expected a number from 1 to %d in a project's file, got %q", most, value)
	}
	return nil
}

// withProject is the setting that holds where a project's file has one too.
func withProject(users, project Setting) Setting {
	switch {
	case users.Name == withoutFlag && users.From != "default":
		return Setting{users.Name, strings.Trim(users.Value, "[]") + "," + project.Value,
			users.From + " and " + project.From, true}
	case users.From == "flag":
		return users
	case users.Name == blockedDomains && users.Value != "":
		return Setting{users.Name, users.Value + "," + project.Value, users.From + " and " + project.From, true}
	case slices.Contains(wallSwitches, users.Name):
		its, _ := strconv.ParseBool(project.Value) // which was checked
		if mine, err := strconv.ParseBool(users.Value); err != nil || mine || !its {
			return users
		}
	case slices.Contains(wallLimits, users.Name) && users.From != "default":
		return users
	case users.From != "default" && !users.file && users.Name != blockedDomains: // a variable
		return users
	}
	return project
}

// checkBase refuses a project's base URL where there are secrets: a relative address would
// take them to a host of the project's choice.
func checkBase(list []Setting, projects map[string]Setting) error {
	project, secrets := projects["base-url"], ""
	for _, s := range list {
		if s.Name == "secrets" {
			secrets = s.Value
		}
	}
	for _, s := range list {
		if s.Name == "base-url" && s == project && secrets != "" {
			return fmt.Errorf("%s: base-url: a project's file may not set it where there are secrets, which "+
				"would be typed there; say it with a flag, or in %s", s.From, envName("base-url"))
		}
	}
	return nil
}
