package keyring

import (
	"errors"
	"fmt"
	"slices"

	"github.com/godbus/dbus/v5"
)

// Name is the keyring of this platform.
const Name = "Secret Service"

// usable says why the Secret Service can't be used, nil if it can. Without it the library would
// start a bus of its own where there is none, and wait for a person where a keyring is locked.
func usable() error {
	conn, err := dbus.SessionBusPrivateNoAutoStartup()
	if err == nil {
		defer conn.Close()
		err = conn.Auth(nil)
	}
	if err == nil {
		err = conn.Hello()
	}
	if err != nil {
		return fmt.Errorf("no D-Bus session (%w)", err)
	}
	const at, name = "/org/freedesktop/secrets", "org.freedesktop.secrets"
	var all []dbus.ObjectPath
	err = conn.Object(name, at).StoreProperty("org.freedesktop.Secret.Service.Collections", &all)
	if err != nil {
		return fmt.Errorf("no Secret Service answers (%w)", err)
	}
	collection := dbus.ObjectPath(at + "/collection/login") // as the library chooses
	if !slices.Contains(all, collection) {
		collection = at + "/aliases/default"
	}
	locked := false
	err = conn.Object(name, collection).StoreProperty("org.freedesktop.Secret.Collection.Locked", &locked)
	if err != nil {
		return fmt.Errorf("the Secret Service has no default collection (%w)", err)
	}
	if locked {
		return errors.New("it is locked")
	}
	return nil
}
