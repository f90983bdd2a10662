package lend

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"
)

// usedBrowser is a browser that people use, and where it keeps their profiles.
type usedBrowser struct {
	title   string
	linux   string   // below the user's configuration
	darwin  string   // below ~/Library/Application Support
	windows string   // below %LocalAppData%
	others  []string // below ~: of other packagers
}

var personal = map[string]usedBrowser{
	"chrome": {"Chrome", "google-chrome", "Google/Chrome", `Google\Chrome\User Data`,
		[]string{".var/app/com.google.Chrome/config/google-chrome"}},
	"chrome-beta":   {"Chrome Beta", "google-chrome-beta", "Google/Chrome Beta", `Google\Chrome Beta\User Data`, nil},
	"chrome-dev":    {"Chrome Dev", "google-chrome-unstable", "Google/Chrome Dev", `Google\Chrome Dev\User Data`, nil},
	"chrome-canary": {"Chrome Canary", "google-chrome-canary", "Google/Chrome Canary", `Google\Chrome SxS\User Data`, nil},
	"chromium": {"Chromium", "chromium", "Chromium", `Chromium\User Data`,
		[]string{"snap/chromium/common/chromium", ".var/app/org.chromium.Chromium/config/chromium"}},
	"edge": {"Edge", "microsoft-edge", "Microsoft Edge", `Microsoft\Edge\User Data`,
		[]string{".var/app/com.microsoft.Edge/config/microsoft-edge"}},
	"brave": {"Brave", "BraveSoftware/Brave-Browser", "BraveSoftware/Brave-Browser", `BraveSoftware\Brave-Browser\User Data`,
		[]string{"snap/brave/current/.config/BraveSoftware/Brave-Browser", ".var/app/com.brave.Browser/config/BraveSoftware/Brave-Browser"}},
}

// Personal is the list of names that [DevToolsOf] takes.
func Personal() []string {
	var names []string
	for name := range personal {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// IsPersonal reports whether an address is one of [Personal], or one with the folder of its
// profiles behind a colon: chrome:/home/me/profile.
func IsPersonal(address string) bool {
	name, _, _ := strings.Cut(address, ":")
	_, known := personal[name]
	return known
}

// activePort is what Chromium writes into the folder of its profiles while it listens for
// DevTools.
const activePort = "DevToolsActivePort"

var activePortText = regexp.MustCompile(`^(\d{1,5})\r?\n(/devtools/browser/[\w-]+)\s*$`)

// DevToolsOf is the address of DevTools of a browser that a person uses, by a name as
// [IsPersonal] takes it. The error says how debugging is allowed there.
func DevToolsOf(name string) (string, error) {
	name, folder, _ := strings.Cut(name, ":")
	b, known := personal[name]
	if !known {
		return "", fmt.Errorf("no browser %q; there are %s", name, strings.Join(Personal(), ", "))
	}
	var folders []string
	if folder != "" {
		if !filepath.IsAbs(folder) {
			return "", fmt.Errorf("%s:%s: give the whole path of the folder of its profiles, which share one port", name, folder)
		}
		folders = []string{folder}
	} else {
		var err error
		if folders, err = b.folders(); err != nil {
			return "", err
		}
	}
	at := newestPort(folders)
	if at == "" {
		return "", fmt.Errorf("%s does not run, or allows no debugging (no %s in %s). "+
			"Open chrome://inspect/#remote-debugging in it, allow debugging, and try again; a version before 144: "+
			"start it with --remote-debugging-port=9222 --user-data-dir=FOLDER, and give --cdp 9222",
			b.title, activePort, strings.Join(folders, ", "))
	}
	text, err := os.ReadFile(at)
	m := activePortText.FindSubmatch(text)
	if err != nil || m == nil {
		return "", cmp.Or(err, fmt.Errorf("%s is not as %s writes it", at, b.title))
	}
	return fmt.Sprintf("ws://127.0.0.1:%s%s", m[1], m[2]), nil
}

// FolderOf is the folder where a browser that people use has its profiles, by a name of
// [Personal].
func FolderOf(name string) (string, error) {
	b, known := personal[name]
	if !known {
		return "", fmt.Errorf("no browser %q; there are %s", name, strings.Join(Personal(), ", "))
	}
	list, err := b.folders()
	if err != nil {
		return "", err
	}
	return list[0], nil
}

// newestPort is the file that was written last, "" if there is none.
func newestPort(folders []string) (at string) {
	var newest time.Time
	for _, dir := range folders {
		file := filepath.Join(dir, activePort)
		if info, err := os.Stat(file); err == nil && !info.ModTime().Before(newest) {
			newest, at = info.ModTime(), file
		}
	}
	return at
}

// folders are where the browser may keep profiles.
func (b usedBrowser) folders() ([]string, error) {
	if runtime.GOOS == "windows" {
		base, err := os.UserCacheDir() // %LocalAppData%
		return []string{filepath.Join(base, b.windows)}, err
	}
	base, err := os.UserConfigDir()
	if err != nil || runtime.GOOS == "darwin" {
		return []string{filepath.Join(base, b.darwin)}, err
	}
	list := []string{filepath.Join(base, b.linux)}
	home, err := os.UserHomeDir()
	for _, dir := range b.others {
		list = append(list, filepath.Join(home, dir))
	}
	return list, err
}
