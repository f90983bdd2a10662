package pipetest

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"pwpipe/internal/machine/setup"
)

// nobody is the user for tests that run as root.
const nobody = 65534

// User is a user other than root, with everything that pwpipe needs in readable places.
// If the tests run as an ordinary user, it is that one.
type User struct {
	Home   string // writable for the user
	Cache  string // with the driver, the browser and the scripts' packages
	Binary string
	Become *syscall.Credential // nil for our own user
}

// NormalUser prepares everything for one. It skips the test if root can't become
// another user.
func NormalUser(t testing.TB) *User {
	t.Helper()
	in, err := setup.Ensure(t.Context(), setup.Options{Stderr: io.Discard})
	if err != nil {
		t.Skip("no browser:", err)
	}
	// Not t.TempDir: only its owner may enter its parent.
	dir, err := os.MkdirTemp("", "pwpipe-user-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	u := &User{Home: filepath.Join(dir, "home"), Cache: filepath.Join(dir, "cache"), Binary: filepath.Join(dir, "pwpipe")}
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(os.Chmod(dir, 0o755))
	check(os.Mkdir(u.Home, 0o755))
	check(os.Mkdir(u.Cache, 0o755))
	check(put(Binary(t), u.Binary))
	expect, err := setup.Expect(t.Context(), setup.Options{Stderr: io.Discard})
	check(err)
	for _, part := range []string{in.DriverDir, filepath.Dir(in.Executable), filepath.Dir(expect)} {
		check(putAll(part, filepath.Join(u.Cache, filepath.Base(part))))
	}
	if os.Geteuid() != 0 {
		return u
	}
	u.Become = &syscall.Credential{Uid: nobody, Gid: nobody}
	check(os.Chown(u.Home, nobody, nobody))
	check(os.Chown(u.Cache, nobody, nobody))
	if out, err := u.as(exec.Command(u.Binary, "--version")).CombinedOutput(); err != nil {
		t.Skipf("root can't become a normal user here: %v %s", err, out)
	}
	return u
}

// putAll copies a folder, with links if possible. It ignores files that vanish
// meanwhile: other tests work in it.
func putAll(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		}
		err = put(path, filepath.Join(to, rel))
		if _, gone := os.Lstat(path); errors.Is(gone, fs.ErrNotExist) {
			return nil
		}
		return err
	})
}

func put(from, to string) error {
	if os.Link(from, to) == nil {
		return nil
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_EXCL, info.Mode().Perm())
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return cmp.Or(err, out.Close())
}

// Command is pwpipe, started by the user in their home.
func (u *User) Command(args ...string) *exec.Cmd { return u.as(exec.Command(u.Binary, args...)) }

func (u *User) as(cmd *exec.Cmd) *exec.Cmd {
	cmd.Dir = u.Home
	cmd.Env = append(os.Environ(), "HOME="+u.Home, "TMPDIR="+u.Home, "PWPIPE_CACHE="+u.Cache,
		"XDG_CACHE_HOME=", "XDG_CONFIG_HOME=", "XDG_RUNTIME_DIR=")
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: u.Become}
	return cmd
}
