//go:build evidence

package shell

import (
	"net"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// What --persist keeps is encrypted with a key from the Secret Service: gnome-keyring's where
// there is one, and a small one of the test's.
func TestKeyring(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestSealedByKeyring of internal/policy/storagestate is quick")
	t.Parallel()
	services := map[string]func(*testing.T, string){
		"gnome-keyring": startGnomeKeyring,
		"small":         func(t *testing.T, address string) { startSecretService(t, address, false) },
	}
	for name, start := range services {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := startBus(t)
			start(t, address)
			testKeyring(t, address)
		})
	}
}

func testKeyring(t *testing.T, address string) {
	d, file := newKeeper(t)
	bus := func(address string) { d.variables = append(d.variables, "DBUS_SESSION_BUS_ADDRESS="+address) }
	none := "unix:path=" + d.run + "/none"
	const opens = "pwpipe open --persist $SITE/form"
	noted := func(parts ...string) {
		t.Helper()
		_, errs, status := d.bash(opens)
		if pipetest.Has(t, errs, parts...); status != 0 {
			t.Errorf("status %d", status)
		}
	}
	ends := func() {
		t.Helper()
		pid := d.service()
		d.ok("pwpipe close --all")
		d.gone(pid)
	}
	stays := func(when, command string, parts ...string) {
		t.Helper()
		before := d.ok("sha256sum " + file)
		pipetest.Has(t, d.fails(1, command), parts...)
		if after := d.ok("sha256sum " + file); after != before {
			t.Errorf("%s: %s has become %s", when, before, after)
		}
	}

	// What was kept without a keyring is encrypted by the next save.
	noted("not encrypted", "only you can read the file", "no D-Bus session")
	pipetest.Has(t, d.ok("pwpipe doctor || true"), "keyring    note  none")
	d.stores("one")
	d.kept(file, `"one"`)
	ends()
	bus(address)
	pipetest.Has(t, d.ok("pwpipe doctor || true"), "keyring    ok    Secret Service")
	noted("encrypted with a key in your keyring (Secret Service)")
	d.stores("two")
	d.stores("one")
	d.kept(file, "pwpipe state, encrypted (keyring, AES-256-GCM)")
	ends()
	if got := d.ok("grep -rlaE 'one|two|who|cookies|127.0.0.1' " + filepath.Dir(file) + " || true"); got != "" {
		t.Errorf("not encrypted: %s", got)
	}
	d.ok("pwpipe open -q --persist $SITE/form")
	if got := d.stored(); got != storedOne {
		t.Errorf("with the key: %s", got)
	}
	d.kill()
	d.bash(opens)
	if got := d.stored(); got != storedOne {
		t.Errorf("after a kill: %s", got)
	}
	ends()
	pipetest.Has(t, d.ok("pwpipe state-show"), "cookie who of 127.0.0.1/")
	if keys := keysOf(t, address); len(keys) != 1 {
		t.Errorf("%d keys in the keyring", len(keys))
	}

	// Without the keyring nothing is lost.
	bus(none)
	stays("no bus", opens, file, "encrypted with a key from the keyring, and that can't be had", "no D-Bus session")
	stays("no bus", "pwpipe state-show", "that can't be had")

	// A passphrase is stronger, and reads what the keyring's key has encrypted.
	bus(address)
	d.ok("echo tea-and-2-scones >$HOME/phrase; " + opens + " -s other --state-passphrase-file $HOME/phrase 2>/dev/null")
	d.ok("pwpipe open -q --persist $SITE/form")
	d.stores("two")
	d.kept(file, "pwpipe state, encrypted (scrypt, AES-256-GCM)")
	ends()
	stays("no passphrase", opens, "PWPIPE_STATE_PASSPHRASE")
	pipetest.Eventually(t, "no service", func() bool { return d.service() == 0 })
	d.ok("pwpipe state-delete; " + opens + " 2>/dev/null")
	d.stores("one")
	d.kept(file, "(keyring, AES-256-GCM)")
	ends()

	// A key that is gone is not replaced for what it has encrypted.
	for _, key := range keysOf(t, address) {
		if err := key.Call("org.freedesktop.Secret.Item.Delete", 0).Err; err != nil {
			t.Fatal(err)
		}
	}
	stays("no key", opens, "that can't be had", "it has no such key")
	if keys := keysOf(t, address); len(keys) != 0 {
		t.Errorf("%d keys in the keyring", len(keys))
	}
	d.ok("pwpipe open -s third --persist $SITE/form 2>/dev/null")
	ends()
	stays("another key", opens, "another key than the keyring has")
	if text := d.ok("head -1 " + filepath.Join(filepath.Dir(file), "third.json")); !strings.Contains(text, "(keyring") {
		t.Errorf("the third: %s", text)
	}
}

// A keyring that is locked, or does not answer, is none. Nobody is asked, and nothing waits.
func TestKeyringNotUsable(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestSealed of internal/policy/storagestate is quick")
	t.Parallel()
	d, file := newKeeper(t)
	locked := startBus(t)
	startSecretService(t, locked, true)
	mute, err := net.Listen("unix", filepath.Join(d.run, "mute"))
	if err != nil {
		t.Fatal(err)
	}
	defer mute.Close() // connections come, and are not answered
	for address, want := range map[string]string{
		locked:                              "Secret Service: it is locked",
		startBus(t):                         "no Secret Service answers",
		"unix:path=" + d.run + "/mute":      "Secret Service: it has not answered in ",
		"autolaunch:":                       "no D-Bus session",
		"unix:path=" + d.run + "/none,x=y;": "no D-Bus session",
	} {
		d.variables = append(d.variables, "DBUS_SESSION_BUS_ADDRESS="+address)
		_, errs, status := d.bash("pwpipe open --persist $SITE/form")
		if pipetest.Has(t, errs, "not encrypted; only you can read the file", want); status != 0 {
			t.Errorf("status %d", status)
		}
		pid := d.service()
		pipetest.Lacks(t, d.ok("pwpipe close; cat "+file), "encrypted")
		d.gone(pid)
	}
}
