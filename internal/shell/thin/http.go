package thin

import (
	"errors"
	"io"
)

// Path is the route of the service that takes commands.
const Path = "/shell"

// What the service says beside the text.
const (
	StatusHeader  = "Pwpipe-Status"
	NoteHeader    = "Pwpipe-Note"
	UnknownHeader = "Pwpipe-Unknown"
	EndingHeader  = "Pwpipe-Ending"
)

// ErrLost says that the service ended in the middle of a command.
var ErrLost = errors.New("the service ended while the command ran, and its sessions with it; " +
	"`pwpipe open URL` starts another")

// exchange sends the command, and reads the answer. It calls silence where the service has
// done nothing for signEvery, and ends with the error of that.
func (c Command) exchange(conn io.ReadWriter, silence func() error) (a Answer, err error) {
	body := c.json()
	head := "POST " + Path + " HTTP/1.1\r\nHost: localhost\r\nUser-Agent: shell\r\nContent-Type: application/json\r\n" +
		"Connection: close\r\nContent-Length: " + decimal(len(body)) + "\r\n\r\n"
	reply, err := talk(conn, []byte(head+body), silence)
	if errors.As(err, new(silent)) {
		return a, err
	}
	if err != nil && len(reply) == 0 {
		return a, ErrLost
	}
	return readAnswer(string(reply))
}

// readAnswer reads the service's HTTP response.
func readAnswer(reply string) (a Answer, err error) {
	length, status := -1, -1
	for {
		line, rest, ok := cut(reply, "\r\n")
		if !ok {
			return a, ErrLost
		}
		reply = rest
		if line == "" {
			break
		}
		name, value, _ := cut(line, ": ")
		switch name {
		case "Content-Length":
			length = number(value)
		case StatusHeader:
			status = number(value)
		case NoteHeader:
			a.Note = value
		case UnknownHeader:
			a.Unknown = true
		case EndingHeader:
			a.Ending = true
		}
	}
	if status < 0 {
		return a, errors.New("not a pwpipe of this version that answers: " + reply[:min(len(reply), 200)])
	}
	if len(reply) < length {
		return a, ErrLost
	}
	a.Status, a.Text = status, []byte(reply)
	return a, nil
}

func cut(s, sep string) (before, after string, ok bool) {
	for i := 0; i+len(sep) <= len(s); i++ {
		if s[i:i+len(sep)] == sep {
			return s[:i], s[i+len(sep):], true
		}
	}
	return s, "", false
}

// json is the command as JSON. Package encoding/json is not ready so early.
func (c Command) json() string {
	b := []byte(`{"words":[`)
	for i, w := range c.Words {
		if i > 0 {
			b = append(b, ',')
		}
		b = quote(b, w)
	}
	b = append(b, `],"values":[`...)
	for i, v := range c.Values {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, decimal(v)...)
	}
	b = append(b, ']')
	for _, m := range [][2]string{{"dir", c.Dir}, {"session", c.Session}, {"output", c.Output}, {"build", c.Build}} {
		b = append(b, `,"`+m[0]+`":`...)
		b = quote(b, m[1])
	}
	if c.Caller != (Caller{}) {
		b = quote(append(b, `,"caller":{"own":`...), c.Caller.Own)
		b = quote(append(b, `,"who":`...), c.Caller.Who)
		b = append(b, `,"leader":`+decimal(c.Caller.Leader)+`,"agent":`+boolean(c.Caller.Agent)+`}`...)
	}
	if c.Elements != "" { // another version's service may not know them
		b = quote(append(b, `,"elements":`...), c.Elements)
	}
	b = append(b, `,"quiet":`+boolean(c.Quiet)+`,"start":`+boolean(c.Start)+`}`...)
	return string(b)
}

const hexDigits = "0123456789abcdef"

func quote(b []byte, s string) []byte {
	b = append(b, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c < 0x20:
			b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}

func boolean(is bool) string {
	if is {
		return "true"
	}
	return "false"
}

func decimal(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return decimal(n/10) + string(rune('0'+n%10))
}

// number is a decimal number, -1 for anything else.
func number(s string) int {
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' || n > 1<<40 {
			return -1
		}
		n = n*10 + int(s[i]-'0')
	}
	if s == "" {
		return -1
	}
	return n
}
