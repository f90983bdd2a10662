package chromium

import (
	"slices"
	"strings"
)

const profileFlag = "--user-data-dir="

// Placeholders for the parts of the arguments that differ in every run.
const (
	profileHere = "{profile}"
	proxyHere   = "{proxy}"
)

// Bounds of the remembered arguments, whoever wrote them.
const (
	maxArgs    = 500
	longestArg = 32 << 10
)

// Own are the parts of the arguments that differ in every run.
type Own struct {
	Profile string // folder of the profile
	Proxy   string // address of the filtering proxy, "" for none
}

// Learn makes the arguments to remember of those that the driver requested.
func Learn(asked []string, own Own) []string {
	list := slices.Clone(asked)
	for i, a := range list {
		if strings.HasPrefix(a, profileFlag) {
			list[i] = profileFlag + profileHere
		} else if own.Proxy != "" {
			list[i] = strings.ReplaceAll(a, own.Proxy, proxyHere)
		}
	}
	return list
}

// Fill makes arguments of the remembered ones, nil if a driver could not request them:
// such a browser would be dropped, but only after it had run for a moment.
func Fill(learned []string, own Own) []string {
	if len(learned) > maxArgs || !slices.Contains(learned, profileFlag+profileHere) || !slices.Contains(learned, pipeFlag) {
		return nil
	}
	list := slices.Clone(learned)
	for i, a := range list {
		switch {
		case len(a) > longestArg, strings.ContainsRune(a, 0), !strings.HasPrefix(a, "-") && a != "about:blank":
			return nil
		case a == profileFlag+profileHere:
			list[i] = profileFlag + own.Profile
		case strings.HasPrefix(a, profileFlag), strings.HasPrefix(a, portFlag):
			return nil
		case own.Proxy != "":
			list[i] = strings.ReplaceAll(a, proxyHere, own.Proxy)
		}
	}
	return list
}

const (
	pipeFlag = "--remote-debugging-pipe"
	portFlag = "--remote-debugging-port"
)

// difference is an argument in which a request differs from those that a browser was started with,
// except for the profile's folder if that is the run's own; "" for none.
func difference(started, asked []string, temp string) string {
	if len(started) != len(asked) {
		for _, a := range asked {
			if !slices.Contains(started, a) && !isOwn(a, temp) {
				return a
			}
		}
		return "fewer arguments"
	}
	for i, a := range asked {
		if a != started[i] && !(isOwn(a, temp) && isOwn(started[i], temp)) {
			return a
		}
	}
	return ""
}

// isOwn reports whether an argument names a profile in the run's own folder.
func isOwn(arg, temp string) bool {
	return temp != "" && strings.HasPrefix(arg, profileFlag+temp+"/")
}
