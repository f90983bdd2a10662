package logins

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"html"
	"io"
	"net/url"
	"os"
	"slices"
	"strings"
	"unicode/utf16"
)

// The browser does not say what is in a file from the disk that a page sends. So files are judged
// when a page is to get them: traces, heap snapshots and states have what was typed as it is.

const (
	leastInFile = 6       // bytes of a value that is looked for: a shorter one is part of many files
	mostInFile  = 2 << 30 // bytes of a file, and of what an archive unpacks to
	filePiece   = 1 << 20 // bytes that are read at a time
)

// HeldByFile returns the name of a password or a seed of codes that a file holds whole, "" for none:
// as it is, escaped, in UTF-16 or in base64, also in an archive of .zip or .gz. A nil book has no
// values.
func (b *Book) HeldByFile(path string) (name string, err error) {
	if b == nil {
		return "", nil
	}
	look := &fileLook{left: mostInFile}
	b.carried.mu.Lock()
	for name, h := range b.carried.of {
		if !h.userName && len(h.value) >= leastInFile {
			look.add(name, h.value)
		}
	}
	b.carried.mu.Unlock()
	if len(look.needles) == 0 {
		return "", nil
	}
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return "", err // to open a FIFO would wait
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return look.file(f)
}

// fileLook looks for values in files.
type fileLook struct {
	needles []needle
	longest int
	left    int64 // bytes that may still be read
}

type needle struct {
	name string
	text []byte
}

func (l *fileLook) add(name, value string) {
	texts := []string{value, inJSON(value, true), inJSON(value, false), html.EscapeString(value),
		url.QueryEscape(value), url.PathEscape(value)}
	var little, big []byte
	for _, unit := range utf16.Encode([]rune(value)) {
		little, big = append(little, byte(unit), byte(unit>>8)), append(big, byte(unit>>8), byte(unit))
	}
	texts = append(texts, string(little), string(big))
	for before := range 3 { // base64 of a text has three forms, by what comes before
		text := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat("x", before) + value))
		// The first characters also depend on what comes before, and the last on what comes after.
		text = text[(before*8+5)/6 : (before+len(value))*8/6]
		texts = append(texts, text, strings.NewReplacer("+", "-", "/", "_").Replace(text))
	}
	slices.Sort(texts)
	for _, text := range slices.Compact(texts) {
		if len(text) >= leastInFile {
			l.needles = append(l.needles, needle{name, []byte(text)})
			l.longest = max(l.longest, len(text))
		}
	}
}

// inJSON is a text within the quotes of JSON. JavaScript does not escape HTML there.
func inJSON(text string, escapeHTML bool) string {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(escapeHTML)
	_ = e.Encode(text)
	quoted := strings.TrimSpace(out.String())
	return quoted[1 : len(quoted)-1]
}

func (l *fileLook) file(f *os.File) (name string, err error) {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return "", err
	}
	if name, err = l.stream(f); name != "" || err != nil {
		return name, err
	}
	if archive, err := zip.NewReader(f, info.Size()); err == nil {
		for _, member := range archive.File {
			if name, err := l.member(member); name != "" || err != nil {
				return name, err
			}
		}
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	if unpacked, err := gzip.NewReader(f); err == nil {
		return l.stream(unpacked)
	}
	return "", nil
}

func (l *fileLook) member(member *zip.File) (name string, err error) {
	in, err := member.Open()
	if err != nil {
		return "", nil // a method that we can't unpack
	}
	defer in.Close()
	return l.stream(in)
}

var errLongFile = errors.New("it is too long to look for values of log-ins")

// stream looks through what is read. What can't be unpacked to its end has been looked at as far as it can be.
func (l *fileLook) stream(in io.Reader) (name string, err error) {
	text := make([]byte, 0, filePiece)
	for {
		n, err := io.ReadFull(in, text[len(text):cap(text)])
		text = text[:len(text)+n]
		if l.left -= int64(n); l.left < 0 {
			return "", errLongFile
		}
		for _, one := range l.needles {
			if bytes.Contains(text, one.text) {
				return one.name, nil
			}
		}
		if err != nil {
			return "", nil
		}
		text = append(text[:0], text[len(text)-min(len(text), l.longest-1):]...)
	}
}
