// Package har reads HAR files of unknown origin, so that they can be replayed without
// harm.
//
// Playwright's driver trusts a HAR: it reads a body's _file wherever it points to, at
// each request. So it never gets such a file. [FromFile] and [FromZip] read it here,
// within bounds, check every _file, and write another HAR with only what the driver
// uses, bodies included, and without names of files. What was checked is what is used.
package har

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"
)

// The bounds of a HAR. MaxSize is in bytes, for input (bodies included) and output;
// MaxDepth is the depth of nested objects and arrays.
const (
	MaxSize  = 128 << 20
	MaxDepth = 64
)

// maxSize is MaxSize, except in tests.
var maxSize int64 = MaxSize

// Open opens the file that a HAR names. The name has been checked as local.
type Open func(name string) (io.ReadCloser, error)

// Refused is a _file, or a name in an archive, that may not be read.
type Refused struct {
	Where  string // log.entries[3].response.content._file
	File   string
	Reason string // a clause: "it is an absolute path"
}

func (r *Refused) Error() string { return fmt.Sprintf("%s: %q: %s", r.Where, r.File, r.Reason) }

// FromFile reads a HAR from r and writes one without files to w. open opens the bodies
// beside it.
func FromFile(w io.Writer, r io.Reader, open Open) error {
	left := maxSize
	raw, err := readAll(r, &left)
	if err != nil {
		return err
	}
	return pack(w, raw, open, &left)
}

var errTooLarge = fmt.Errorf("it is larger than %d MiB, its bodies included", MaxSize>>20)

// readAll reads r as long as there is room left.
func readAll(r io.Reader, left *int64) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, *left+1))
	if *left -= int64(len(b)); *left < 0 {
		return nil, errTooLarge
	}
	return b, err
}

// pack is FromFile once the text has been read.
func pack(w io.Writer, raw []byte, open Open, left *int64) error {
	raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	if !utf8.Valid(raw) {
		return errors.New("it is not JSON in UTF-8")
	}
	if err := check(raw); err != nil {
		return err
	}
	p := &packer{out: &limited{w: w, left: maxSize}, open: open, left: left}
	return p.pack(raw)
}

// limited writes at most its limit.
type limited struct {
	w    io.Writer
	left int64
}

func (l *limited) Write(b []byte) (int, error) {
	if l.left -= int64(len(b)); l.left < 0 {
		return 0, errTooLarge
	}
	return l.w.Write(b)
}

// packer writes the new HAR, entry by entry.
type packer struct {
	out  io.Writer
	open Open
	left *int64
}

// The members that the driver (1.60, server/harBackend.ts) uses. Their names match
// exactly, as in JavaScript and unlike in encoding/json.
type (
	entry struct {
		Request  request  `json:"request"`
		Response response `json:"response"`
	}
	request struct {
		URL      string   `json:"url"`
		Method   string   `json:"method"`
		Headers  []header `json:"headers"`
		PostData *content `json:"postData,omitempty"`
	}
	response struct {
		Status  *int     `json:"status,omitempty"`
		Headers []header `json:"headers"`
		Content content  `json:"content"`
	}
	header struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	content struct {
		Text     string `json:"text"`
		Encoding string `json:"encoding,omitempty"`
	}
)

func (p *packer) pack(raw []byte) error {
	log, err := object{raw: raw}.object("log")
	if err != nil {
		return err
	}
	entries, err := log.list("entries")
	if err != nil {
		return err
	}
	if _, err := io.WriteString(p.out, `{"log":{"entries":[`); err != nil {
		return err
	}
	enc := json.NewEncoder(p.out)
	enc.SetEscapeHTML(false)
	comma := ""
	for _, o := range entries {
		// A request without an answer can't be replayed.
		if !o.has("request") || !o.has("response") {
			continue
		}
		e, err := p.entry(o)
		if err != nil {
			return err
		}
		if !isWeb(e.Request.URL) {
			continue
		}
		if _, err := io.WriteString(p.out, comma); err != nil {
			return err
		}
		if err := enc.Encode(e); err != nil {
			return err
		}
		comma = ","
	}
	_, err = io.WriteString(p.out, "]}}")
	return err
}

// isWeb recognises the URLs that a HAR may answer. The driver sends the page to the end
// of the HAR's redirects without a check: a file: URL there would make the browser show
// the file. So such an end must not be in it. Other URLs, such as data:, are in HARs
// but never requested.
func isWeb(url string) bool {
	return strings.HasPrefix(url, "http://") || strings.HasPrefix(url, "https://")
}

func (p *packer) entry(o object) (e entry, err error) {
	req, err := o.object("request")
	if err != nil {
		return e, err
	}
	res, err := o.object("response")
	if err != nil {
		return e, err
	}
	if e.Request, err = p.request(req); err != nil {
		return e, err
	}
	e.Response, err = p.response(res)
	return e, err
}

func (p *packer) request(o object) (r request, err error) {
	if r.URL, err = o.text("url"); err != nil {
		return r, err
	}
	if r.Method, err = o.text("method"); err != nil {
		return r, err
	}
	if r.Headers, err = headers(o); err != nil || !o.has("postData") {
		return r, err
	}
	data, err := o.object("postData")
	if err != nil {
		return r, err
	}
	c, err := p.content(data)
	r.PostData = &c
	return r, err
}

func (p *packer) response(o object) (r response, err error) {
	if o.has("status") {
		n, err := o.number("status")
		if err != nil {
			return r, err
		}
		r.Status = &n
	}
	if r.Headers, err = headers(o); err != nil || !o.has("content") {
		return r, err
	}
	body, err := o.object("content")
	if err != nil {
		return r, err
	}
	r.Content, err = p.content(body)
	return r, err
}

func headers(o object) ([]header, error) {
	list, err := o.list("headers")
	if err != nil {
		return nil, err
	}
	out := make([]header, len(list))
	for i, h := range list {
		if out[i].Name, err = h.text("name"); err != nil {
			return nil, err
		}
		if out[i].Value, err = h.text("value"); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// content is a body, read from its file.
func (p *packer) content(o object) (c content, err error) {
	name, err := o.text("_file")
	if err != nil {
		return c, err
	}
	if name == "" {
		if c.Text, err = o.text("text"); err != nil {
			return c, err
		}
		c.Encoding, err = o.text("encoding")
		return c, err
	}
	where := o.at("_file")
	if why := stray(name); why != "" { // check has seen to it; this must not hang on that
		return c, &Refused{where, name, why}
	}
	f, err := p.open(name)
	if err != nil {
		return c, wordOpen(where, name, err)
	}
	defer f.Close()
	body, err := readAll(f, p.left)
	if err != nil {
		return c, fmt.Errorf("%s: %q: %w", where, name, err)
	}
	return content{Text: base64.StdEncoding.EncodeToString(body), Encoding: "base64"}, nil
}

// wordOpen makes the error for a file that can't be opened, with its place in the HAR.
func wordOpen(where, name string, err error) error {
	var r *Refused
	if errors.As(err, &r) {
		r.Where = where
		return r
	}
	return fmt.Errorf("%s: %q: %w", where, name, err)
}

// whole reports whether a number is an integer that an int holds.
func whole(f float64) bool { return f == math.Trunc(f) && math.Abs(f) < 1<<31 }
