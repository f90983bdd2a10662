package logins

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"pwpipe/internal/text/secrets"
)

// Value says where a value comes from. It is one text (the value itself, or {{NAME}}), or an
// empty text, a command and its arguments. A nil Value has no source.
type Value []string

// valueOf reads a text, or a table with a command. Its error quotes nothing.
func valueOf(data any) (Value, error) {
	if data == nil {
		return nil, nil
	}
	if text, ok := data.(string); ok && text != "" {
		return Value{text}, nil
	}
	table, _ := data.(map[string]any)
	list, ok := table["command"].([]any)
	words, err := texts(list)
	if !ok || len(table) != 1 || err != nil || len(words) == 0 || words[0] == "" {
		return nil, errors.New(`expected a text, {{NAME}}, or {command = ["program", "argument"]}`)
	}
	return append(Value{""}, words...), nil
}

var reWhole = regexp.MustCompile(`^\{\{([A-Za-z_][A-Za-z0-9_]*)\}\}$`)

// secret returns the name of the secret, if a value is {{NAME}}, else "".
func (v Value) secret() string {
	if len(v) == 1 {
		if m := reWhole.FindStringSubmatch(v[0]); m != nil {
			return m[1]
		}
	}
	return ""
}

// plain reports whether the file contains the value itself.
func (v Value) plain() bool { return len(v) == 1 && v.secret() == "" }

// These constants bound a command that prints a value.
const (
	commandTime = 20 * time.Second
	maxPrinted  = 4 << 10
)

// UserName returns the user name of a log-in, and whether it is a secret.
func (b *Book) UserName(ctx context.Context, l *Login) (text string, hidden bool, err error) {
	if l.User.plain() {
		return l.User[0], false, nil
	}
	text, err = b.read(ctx, l, l.User, "user")
	return text, true, err
}

// Password returns the password of a log-in, and masks it from now on.
func (b *Book) Password(ctx context.Context, l *Login) (string, error) {
	return b.read(ctx, l, l.Password, "password")
}

// Code returns the current code of a log-in, and masks it from now on. A site accepts a code
// once. If the code of this period was used, also by another process, Code waits for the next period.
func (b *Book) Code(ctx context.Context, l *Login) (string, error) {
	if l.Code != nil {
		text, err := b.read(ctx, l, l.Code, "code")
		b.carried.addCode(l, text)
		return text, err
	}
	text, err := b.read(ctx, l, l.TOTP, "totp")
	if err != nil {
		return "", err
	}
	t, err := parseTOTP(text)
	if err != nil {
		return "", fmt.Errorf("totp: %w", err)
	}
	step, err := b.used.next(ctx, l.Name, t)
	if err != nil {
		return "", err
	}
	code := t.code(step)
	b.carried.addCode(l, code)
	return code, b.secrets.Add(l.Name+".code", code)
}

// read returns a value, and masks it from now on.
func (b *Book) read(ctx context.Context, l *Login, v Value, what string) (string, error) {
	if v == nil {
		return "", fmt.Errorf("the log-in has no %s", what)
	}
	if name := v.secret(); name != "" {
		text, _ := b.secrets.Value(name) // Load has checked the name
		return text, nil
	}
	text, err := b.run(ctx, v[1:])
	name := l.Name + "." + what
	if err == nil {
		err = b.secrets.Add(name, text)
	}
	if err == nil && what != "code" {
		err = b.carried.add(name, text, l, what == "user")
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", what, err)
	}
	return text, nil
}

// Files are the files that the commands of log-ins run or are given: whoever writes them
// chooses what runs.
func (b *Book) Files() (list []string) {
	for _, l := range b.logins {
		for _, v := range []Value{l.User, l.Password, l.TOTP, l.Code} {
			if len(v) < 2 {
				continue
			}
			if program, err := exec.LookPath(v[1]); err == nil && filepath.IsAbs(program) {
				list = append(list, program)
			}
			for _, word := range v[1:] {
				if !filepath.IsAbs(word) {
					word = filepath.Join(b.dir, word)
				}
				if info, err := os.Stat(word); err == nil && info.Mode().IsRegular() {
					list = append(list, word)
				}
			}
		}
	}
	return list
}

// run runs a command, and returns the first line that it prints. There is no shell, and stdin is
// empty. An error contains what the command writes to stderr, and never what it prints.
func (b *Book) run(ctx context.Context, argv []string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, commandTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.WaitDelay = b.dir, time.Second
	out, errs := &bounded{most: maxPrinted}, &bounded{most: maxPrinted}
	cmd.Stdout, cmd.Stderr = out, errs
	err := cmd.Run()
	line, _, _ := strings.Cut(out.kept.String(), "\n")
	line = strings.TrimSuffix(line, "\r")
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		err = fmt.Errorf("did not end within %s", commandTime)
	case err == nil && out.over:
		err = fmt.Errorf("printed more than %d bytes", maxPrinted)
	case err == nil && line == "":
		err = errors.New("printed nothing")
	case err == nil:
		return line, nil
	}
	if said := strings.Join(strings.Fields(errs.kept.String()), " "); said != "" {
		err = fmt.Errorf("%w: %s", err, secrets.Shorten(b.secrets.Mask(said), 500))
	}
	return "", fmt.Errorf("the command %s: %w", argv[0], err)
}

// bounded keeps the first bytes that are written to it.
type bounded struct {
	kept bytes.Buffer
	most int
	over bool // there was more
}

func (b *bounded) Write(p []byte) (int, error) {
	room := min(len(p), b.most-b.kept.Len())
	b.over = b.over || room < len(p)
	b.kept.Write(p[:room])
	return len(p), nil
}
