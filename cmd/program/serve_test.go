package program

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestServiceOptions: what serve refuses before anything starts.
func TestServiceOptions(t *testing.T) {
	for want, change := range map[string]func(*serveOptions){
		"":                                  func(*serveOptions) {},
		" ":                                 func(o *serveOptions) { o.pool.Wait, o.stop = 0, 0 },
		"OPERATOR_KEY: ":                    func(o *serveOptions) { o.door.APIKey, o.door.OperatorKey = "k", "k" },
		"OPERATOR_KEY:  ":                   func(o *serveOptions) { o.door.OperatorKey = "k " },
		"API_KEY: it begins":                func(o *serveOptions) { o.door.APIKey = "k\n" },
		"RATE_LIMIT_MAX: expected a number": func(o *serveOptions) { o.door.RatePerMinute = -1 },
		"--max-body: expected bytes":        func(o *serveOptions) { o.door.MaxBody = 0 },
		"MAX_CONTEXTS: expected a number":   func(o *serveOptions) { o.MaxContexts = 0 },
		"SESSION_TTL_MS: expected":          func(o *serveOptions) { o.ttlMS = 0 },
		"--queue-timeout: expected":         func(o *serveOptions) { o.pool.Wait = -1 },
		"--stop-timeout: expected":          func(o *serveOptions) { o.stop = -time.Second },
		"--user-data-dir has one context":   func(o *serveOptions) { o.UserDataDir, o.MaxContexts = "d", 2 },
		"  ":                                func(o *serveOptions) { o.UserDataDir, o.MaxContexts = "d", 1 },
		`--addr: expected host:port`:        func(o *serveOptions) { o.addr = "nonsense" },
		"0.0.0.0:1 can be reached":          func(o *serveOptions) { o.addr = "0.0.0.0:1" },
		"   ":                               func(o *serveOptions) { o.addr, o.keys = "0.0.0.0:1", "file" },
	} {
		o := serveOptions{ttlMS: 1, lendTabs: true}
		o.door.MaxBody, o.MaxContexts = 1, 1
		change(&o)
		_, err := o.validate()
		if want = strings.TrimSpace(want); (want == "") != (err == nil) ||
			err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	o := serveOptions{keys: "file"}
	o.door.APIKey = "k"
	if err := o.readKeys(); err == nil || !strings.Contains(err.Error(), "takes the place of API_KEY") {
		t.Error(err)
	}
	var b strings.Builder
	if err := writeKey(&b, "red"); err != nil || !strings.Contains(b.String(), `entry: {"name": "red", "keys": ["`) {
		t.Errorf("%v: %s", err, b.String())
	}
}

// TestPassphrase: it is the first line of a file, or the variable, which no other process inherits.
func TestPassphrase(t *testing.T) {
	for text, want := range map[string]string{
		"": "the variable", "a b \r\nc\n": "a b ", "one line": "one line",
		"\r\nb": "has no first line", "\n": "has no first line",
	} {
		t.Setenv("PWPIPE_STATE_PASSPHRASE", "the variable")
		o := KeyOptions{}
		if text != "" {
			o.passphraseFile = filepath.Join(t.TempDir(), "file")
			if err := os.WriteFile(o.passphraseFile, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := o.Passphrase(); err == nil || !strings.Contains(err.Error(), "give one of") {
				t.Errorf("both: %v", err)
			}
		}
		got, err := o.Passphrase()
		if err == nil && got != want || err != nil && !strings.Contains(err.Error(), want) ||
			os.Getenv("PWPIPE_STATE_PASSPHRASE") != "" {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}
