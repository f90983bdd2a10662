package driver

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// kept are the variables that the driver and the browser may see. The rest of the
// caller's environment may contain secrets, or settings that would make Node or
// Playwright write into the protocol's stream (NODE_OPTIONS, PWDEBUG, DEBUG).
var kept = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TEMP", "TMP",
	"DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS",
	"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy",
	"SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS",
	"SYSTEMROOT", "SystemRoot", "WINDIR", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES", "USERPROFILE", "COMSPEC", "PATHEXT",
}

// CleanEnv is the part of the environment that a child may see.
func CleanEnv() []string {
	var env []string
	for _, kv := range os.Environ() {
		name, _, _ := strings.Cut(kv, "=")
		if strings.HasPrefix(name, "LC_") || strings.HasPrefix(name, "XDG_") || slices.Contains(kept, name) {
			env = append(env, kv)
		}
	}
	// Without a locale Chromium takes file names for ASCII, and names any other
	// download "download".
	if runtime.GOOS == "linux" && os.Getenv("LC_ALL")+os.Getenv("LC_CTYPE")+os.Getenv("LANG") == "" {
		env = append(env, "LC_CTYPE=C.UTF-8")
	}
	return env
}

func packageVersion(dir string) (string, error) {
	var p struct {
		Version string `json:"version"`
	}
	text, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err == nil {
		err = json.Unmarshal(text, &p)
	}
	return p.Version, err
}

// trustLater hides certificates from Node's start, where they take long. The start
// script handles them (see trust.cjs).
func trustLater(env []string) []string {
	for i, kv := range env {
		if file, ok := strings.CutPrefix(kv, "NODE_EXTRA_CA_CERTS="); ok {
			env[i] = "PWPIPE_EXTRA_CA_CERTS=" + file
		}
	}
	return env
}
