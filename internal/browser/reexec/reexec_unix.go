//go:build unix

package reexec

import (
	"os"
	"syscall"
)

// become is another program from here on, where the environment asks for one.
func become() {
	switch {
	case os.Getenv(Socket) != "":
		fail("standing in for the browser", standIn(os.Getenv(Socket), os.Getenv(Token)))
	case os.Getenv(Node) != "" && len(os.Args) > 2 && endsIn(os.Args[1], "/cli.js"):
		if os.Args[2] == "--version" {
			say(os.Stdout, "Version "+os.Getenv(Version))
			os.Exit(0)
		}
		fail("starting "+os.Getenv(Node), becomeNode(os.Getenv(Node)))
	}
}

// becomeNode returns only if it fails.
func becomeNode(node string) error {
	DieWithParent()
	_ = syscall.Setpgid(0, 0) // a terminal's Ctrl-C is ours to handle
	if f, err := os.OpenFile(os.Getenv(PIDFile), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600); err == nil {
		say(f, decimal(os.Getpid()))
		_ = f.Close()
	}
	args := append([]string{node}, split(os.Getenv(Start))...)
	return syscall.Exec(node, append(args, os.Args[1:]...), split(os.Getenv(Env)))
}

// waiting is the shell script that the stand-in becomes once it has sent everything,
// because a shell takes a twentieth of our memory. It reads how the browser has ended,
// and ends the same way. Without anybody to tell it, it ends.
const waiting = `read -r how n || kill -9 $$
[ "$how" = signal ] && kill -"$n" $$
exit "$n"`

// standIn sends the token and the arguments, each ended by NUL, after their length in
// four bytes. With the first come descriptors 3, 4 and 2: the driver writes to its
// browser, reads from it, and reads its stderr. It returns only if it fails.
func standIn(path, token string) error {
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		return err
	}
	if err := syscall.Connect(fd, &syscall.SockaddrUnix{Name: path}); err != nil {
		return err
	}
	text := token + "\x00"
	for _, a := range os.Args[1:] {
		text += a + "\x00"
	}
	n := len(text)
	m := append([]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}, text...)
	rights := syscall.UnixRights(3, 4, 2)
	for len(m) > 0 {
		n, err := syscall.SendmsgN(fd, m, rights, nil, 0)
		if err != nil {
			return err
		}
		m, rights = m[n:], nil
	}
	_, _ = syscall.Close(3), syscall.Close(4)
	if err := duplicate(fd, 0); err != nil {
		return err
	}
	_ = syscall.Close(fd)
	_ = syscall.Exec("/bin/sh", []string{"/bin/sh", "-c", waiting, "pwpipe-stand-in"}, nil)
	wait()
	return nil
}

// wait does the shell's job where there is none.
func wait() {
	line := make([]byte, 32)
	size, _ := os.Stdin.Read(line)
	n, signalled := 0, size > 0 && line[0] == 's'
	for _, c := range line[:size] {
		if c >= '0' && c <= '9' {
			n = n*10 + int(c-'0')
		}
	}
	if size == 0 {
		n, signalled = int(syscall.SIGKILL), true
	}
	if signalled {
		_ = syscall.Kill(os.Getpid(), syscall.Signal(n))
	}
	os.Exit(n)
}

// These replace functions of other packages, whose initialisation would cost time.

func say(f *os.File, line string) { _, _ = f.WriteString(line + "\n") }

func fail(what string, err error) {
	say(os.Stderr, "pwpipe: "+what+": "+err.Error())
	os.Exit(127)
}

func endsIn(s, end string) bool { return len(s) >= len(end) && s[len(s)-len(end):] == end }

func decimal(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return decimal(n/10) + string(rune('0'+n%10))
}

func split(list string) []string {
	var parts []string
	for start, i := 0, 0; i <= len(list); i++ {
		if i == len(list) || list[i] == Separator[0] {
			if i > start {
				parts = append(parts, list[start:i])
			}
			start = i + 1
		}
	}
	return parts
}
