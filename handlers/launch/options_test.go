package launch

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pwpipe/internal/machine/setup"
)

// Of two switches for features Chromium takes the last, so ours repeats the driver's
// features.
func TestDriversFeaturesStay(t *testing.T) {
	t.Parallel()
	in, err := setup.Ensure(t.Context(), setup.Options{SkipBrowser: true})
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(filepath.Join(in.DriverDir, "package", "lib", "coreBundle.js"))
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(source), "\n    disabledFeatures = [")
	list, _, _ = strings.Cut(list, "];")
	var want []string
	for _, m := range regexp.MustCompile(`(?m)^\s*"(\w+)",?$`).FindAllStringSubmatch(list, -1) {
		want = append(want, m[1])
	}
	_, on, _ := strings.Cut(string(source), `"--enable-features=`)
	if on, _, _ = strings.Cut(on, `"`); on != driversOn {
		t.Errorf("the driver turns on %s", on)
	}
	if got := strings.Split(driversOff, ","); len(want) < 10 || !slices.Equal(got, want) {
		t.Errorf("the driver turns off %s", strings.Join(want, ","))
	}
	off := func(in *setup.Installed) bool {
		return slices.ContainsFunc(browserArgs(StartOptions{}, in, map[string]string{}), func(a string) bool {
			return strings.HasPrefix(a, "--disable-features=") && strings.HasSuffix(a, windowParts)
		})
	}
	if !off(&setup.Installed{Kind: "chromium"}) || off(&setup.Installed{Kind: "chromium", Env: []string{"FONTCONFIG_PATH=/x"}}) || off(&setup.Installed{Kind: "firefox"}) {
		t.Error("parts of windows are off in a Chromium that may have some, and in no other browser")
	}
}

// Only a Chromium with unlimited frames gets the switches.
func TestFrameRate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rate, kind string
		want       bool
	}{{UnlimitedFrames, "chromium", true}, {"screen", "chromium", false}, {UnlimitedFrames, "firefox", false}} {
		args := frameArgs(StartOptions{FrameRate: c.rate}, &setup.Installed{Kind: c.kind})
		if got := slices.Contains(args, "--disable-frame-rate-limit") && slices.Contains(args, "--run-all-compositor-stages-before-draw"); got != c.want || !c.want && len(args) > 0 {
			t.Errorf("%s of %s: %q", c.rate, c.kind, args)
		}
	}
}

// LC_ALL wins over LC_MESSAGES, and that over LANG. Intl gets a locale of its own only where the user's is none.
func TestLocaleOf(t *testing.T) {
	for env, want := range map[[3]string]string{
		{"de_DE.UTF-8", "fr_FR", "it_IT"}: "de-DE", {"", "fr_FR.UTF-8", "it_IT"}: "fr-FR", {"", "", "pt_BR@x"}: "pt-BR",
		{"C.UTF-8", "fr_FR", "it_IT"}: "", {"", "POSIX", "it_IT"}: "", {"", "", "no tag"}: "", {"", "", "und"}: "", {}: "",
	} {
		all := map[string]string{"LC_ALL": env[0], "LC_MESSAGES": env[1], "LANG": env[2], "LC_CTYPE": "x"}
		tag, users := localeOf(all)
		validLocale(all)
		own := len(all) == 1 && all["LANG"] == "C.UTF-8"
		if tag != cmp.Or(want, ownLocale) || users != (want != "") || own == users {
			t.Errorf("%q: %s, %t, then %v", env, tag, users, all)
		}
	}
}
