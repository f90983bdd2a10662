package shell

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/godbus/dbus/v5"
	"github.com/godbus/dbus/v5/prop"

	"pwpipe/internal/pipetest"
)

// startBus starts a D-Bus session of the test's own.
func startBus(t *testing.T) (address string) {
	t.Helper()
	path, err := exec.LookPath("dbus-daemon")
	if err != nil {
		t.Skip("no dbus-daemon")
	}
	cmd := exec.Command(path, "--session", "--nofork", "--print-address")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line)
}

func dial(t *testing.T, address string) *dbus.Conn {
	t.Helper()
	conn, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// The Secret Service's name, and where its objects are.
const (
	secretName    = "org.freedesktop.secrets"
	secretRoot    = "/org/freedesktop/secrets"
	secretDefault = secretRoot + "/aliases/default"
)

// startGnomeKeyring starts gnome-keyring's Secret Service, with a keyring that is not locked.
func startGnomeKeyring(t *testing.T, address string) {
	t.Helper()
	path, err := exec.LookPath("gnome-keyring-daemon")
	if err != nil {
		t.Skip("no gnome-keyring-daemon")
	}
	run, err := os.MkdirTemp("", "pwpipe-keyring-") // a short path, for its socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(run) })
	cmd := exec.Command(path, "--unlock", "--foreground", "--components=secrets")
	cmd.Env = append(os.Environ(), "DBUS_SESSION_BUS_ADDRESS="+address, "HOME="+t.TempDir(), "XDG_RUNTIME_DIR="+run,
		"XDG_DATA_HOME="+t.TempDir())
	cmd.Stdin = strings.NewReader("the keyring's password")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	conn := dial(t, address)
	pipetest.Eventually(t, "gnome-keyring serves", func() bool {
		locked := true
		err := conn.Object(secretName, secretRoot+"/collection/login").
			StoreProperty("org.freedesktop.Secret.Collection.Locked", &locked)
		return err == nil && !locked
	})
}

// secretService is a small Secret Service of the test's own, which keeps items in memory: what
// a client that stores and reads text needs.
type secretService struct {
	t    *testing.T
	conn *dbus.Conn

	mu    sync.Mutex
	items map[dbus.ObjectPath]*secretItem
	made  int
}

type secretItem struct {
	service    *secretService
	path       dbus.ObjectPath
	attributes map[string]string
	value      []byte
}

// secret is the specification's (oayays).
type secret struct {
	Session    dbus.ObjectPath
	Parameters []byte
	Value      []byte
	Type       string
}

func startSecretService(t *testing.T, address string, locked bool) {
	t.Helper()
	s := &secretService{t: t, conn: dial(t, address), items: map[dbus.ObjectPath]*secretItem{}}
	export := func(v any, path dbus.ObjectPath, name string) {
		if err := s.conn.Export(v, path, "org.freedesktop.Secret."+name); err != nil {
			t.Fatal(err)
		}
	}
	export(s, secretRoot, "Service")
	export((*secretCollection)(s), secretDefault, "Collection")
	export(secretSession{}, secretRoot+"/session/1", "Session")
	for path, of := range map[dbus.ObjectPath]prop.Map{
		secretRoot:    {"org.freedesktop.Secret.Service": {"Collections": {Value: []dbus.ObjectPath{secretDefault}}}},
		secretDefault: {"org.freedesktop.Secret.Collection": {"Locked": {Value: locked}}},
	} {
		if _, err := prop.Export(s.conn, path, of); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.conn.RequestName(secretName, dbus.NameFlagDoNotQueue); err != nil {
		t.Fatal(err)
	}
}

func (s *secretService) OpenSession(
	algorithm string, _ dbus.Variant,
) (output dbus.Variant, session dbus.ObjectPath, _ *dbus.Error) {
	if algorithm != "plain" {
		return output, "/", dbus.NewError("org.freedesktop.DBus.Error.NotSupported", nil)
	}
	return dbus.MakeVariant(""), secretRoot + "/session/1", nil
}

func (s *secretService) Unlock(objects []dbus.ObjectPath) ([]dbus.ObjectPath, dbus.ObjectPath, *dbus.Error) {
	return objects, "/", nil
}

type secretSession struct{}

func (secretSession) Close() *dbus.Error { return nil }

type secretCollection secretService

func (c *secretCollection) SearchItems(wanted map[string]string) ([]dbus.ObjectPath, *dbus.Error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	found := []dbus.ObjectPath{}
	for path, item := range c.items {
		same := true
		for name, value := range wanted {
			same = same && item.attributes[name] == value
		}
		if same {
			found = append(found, path)
		}
	}
	return found, nil
}

func (c *secretCollection) CreateItem(
	properties map[string]dbus.Variant, value secret, replace bool,
) (item, prompt dbus.ObjectPath, _ *dbus.Error) {
	var attributes map[string]string
	if err := properties["org.freedesktop.Secret.Item.Attributes"].Store(&attributes); err != nil {
		return "/", "/", dbus.MakeFailedError(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if replace {
		maps.DeleteFunc(c.items, func(_ dbus.ObjectPath, i *secretItem) bool {
			return maps.Equal(i.attributes, attributes)
		})
	}
	c.made++
	i := &secretItem{(*secretService)(c), dbus.ObjectPath(fmt.Sprint(secretRoot, "/item/", c.made)), attributes, value.Value}
	c.items[i.path] = i
	if err := c.conn.Export(i, i.path, "org.freedesktop.Secret.Item"); err != nil {
		return "/", "/", dbus.MakeFailedError(err)
	}
	return i.path, "/", nil
}

func (i *secretItem) GetSecret(session dbus.ObjectPath) (secret, *dbus.Error) {
	return secret{session, nil, i.value, "text/plain"}, nil
}

func (i *secretItem) Delete() (dbus.ObjectPath, *dbus.Error) {
	i.service.mu.Lock()
	defer i.service.mu.Unlock()
	delete(i.service.items, i.path)
	return "/", nil
}

// keysOf are the items that pwpipe has in the Secret Service of a bus.
func keysOf(t *testing.T, address string) (list []dbus.BusObject) {
	t.Helper()
	conn := dial(t, address)
	var found []dbus.ObjectPath
	err := conn.Object(secretName, secretDefault).Call("org.freedesktop.Secret.Collection.SearchItems", 0,
		map[string]string{"service": "pwpipe"}).Store(&found)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range found {
		list = append(list, conn.Object(secretName, path))
	}
	return list
}
