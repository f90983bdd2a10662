package launch

import (
	"cmp"
	"strings"

	"golang.org/x/text/language"

	"pwpipe/internal/machine/setup"
)

// ownLocale is the browser's where the user's is none that sites know: C, POSIX.
const ownLocale = "en-US"

// localeOf is the language tag of an environment. With no tag of a language Chromium
// tells sites "en-US@posix" or "und", of which their scripts die.
func localeOf(env map[string]string) (tag string, users bool) {
	name, _, _ := strings.Cut(cmp.Or(env["LC_ALL"], env["LC_MESSAGES"], env["LANG"]), ".")
	name, _, _ = strings.Cut(name, "@")
	parsed, err := language.Parse(name)
	if err != nil || name == "C" || name == "POSIX" || parsed == language.Und {
		return ownLocale, false
	}
	return parsed.String(), true
}

// validLocale gives a Chromium's Intl a locale where the user's is none. It holds no
// name of a locale that the machine may lack: Chromium would then take file names for
// ASCII.
func validLocale(env map[string]string) {
	if _, users := localeOf(env); users {
		return
	}
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LC_CTYPE", "LANGUAGE"} {
		delete(env, name)
	}
	env["LANG"] = "C.UTF-8" // Intl's en-US
}

// inLocale is the same for navigator.language and Accept-Language, of pages and
// workers.
func inLocale(env map[string]string) []string {
	tag, _ := localeOf(env)
	return []string{"--lang=" + tag, "--accept-lang=" + tag}
}

// contextsLocale is the locale that contexts are opened with, so that Intl has it too; ""
// for none. A whole Chromium gives Intl the language of its own menus, and it may have
// these in English only.
func (o StartOptions) contextsLocale(in *setup.Installed) string {
	if o.attaches() || in.Kind != "" && in.Kind != "chromium" || in.Pinned() {
		return ""
	}
	tag, users := localeOf(browserEnv(in, ""))
	if !users || tag == ownLocale {
		return ""
	}
	return tag
}
