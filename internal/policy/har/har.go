// Package har reads HAR files of unknown origin, so that they can be replayed without
// harm.
//
// Playwright's driver trusts a HAR: it reads a body's _file wherever it points to, at
// each request. So it never gets such a file. [FromFile] and [FromZip] read it here,
// within bounds, check every _file, and write another HAR with only what the driver
// uses, bodies included, and without names of files. What was checked is what is used.
package har

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
	p := &packer{open: open, left: left}
	top := opened(&p.err, "", raw)
	if p.err != nil {
		return errors.New("it is not a HAR: expected an object with the member log")
	}
	entries := top.object("log").list("entries")
	out := bufio.NewWriter(&limited{w: w, left: maxSize})
	_, _ = out.WriteString(`{"log":{"entries":[`)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	comma := ""
	for _, o := range entries {
		// A request without an answer can't be replayed.
		if !o.has("request") || !o.has("response") {
			continue
		}
		req, res := o.object("request"), o.object("response")
		e := entry{p.request(req), p.response(res)}
		if p.err != nil {
			break
		}
		if !isWeb(e.Request.URL) {
			continue
		}
		_, _ = out.WriteString(comma)
		if err := enc.Encode(e); err != nil {
			return err
		}
		comma = ","
	}
	_, _ = out.WriteString("]}}")
	return cmp.Or(p.err, out.Flush())
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
	open Open
	left *int64
	err  error // the first thing that is wrong with the HAR
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

// isWeb recognises the URLs that a HAR may answer. The driver sends the page to the end
// of the HAR's redirects without a check: a file: URL there would make the browser show
// the file. So such an end must not be in it. Other URLs, such as data:, are in HARs
// but never requested.
func isWeb(url string) bool {
	return strings.HasPrefix(url, "http://") || strings.HasPrefix(url, "https://")
}

func (p *packer) request(o object) request {
	r := request{URL: o.text("url"), Method: o.text("method"), Headers: headers(o)}
	if o.has("postData") {
		data := p.content(o.object("postData"))
		r.PostData = &data
	}
	return r
}

func (p *packer) response(o object) response {
	r := response{Status: o.number("status"), Headers: headers(o)}
	if o.has("content") {
		r.Content = p.content(o.object("content"))
	}
	return r
}

func headers(o object) []header {
	out := []header{}
	for _, h := range o.list("headers") {
		out = append(out, header{h.text("name"), h.text("value")})
	}
	return out
}

// content is a body, read from its file.
func (p *packer) content(o object) content {
	name := o.text("_file")
	if name == "" {
		return content{o.text("text"), o.text("encoding")}
	}
	body, err := p.body(name)
	where := o.at("_file")
	if r, ok := errors.AsType[*Refused](err); ok {
		r.Where = where
		o.fail(r)
	} else if err != nil {
		o.fail(fmt.Errorf("%s: %q: %w", where, name, err))
	}
	return content{base64.StdEncoding.EncodeToString(body), "base64"}
}

// body reads a file, unless something is wrong already.
func (p *packer) body(name string) ([]byte, error) {
	if p.err != nil {
		return nil, p.err
	}
	if why := stray(name); why != "" { // check has seen to it; this must not hang on that
		return nil, &Refused{File: name, Reason: why}
	}
	f, err := p.open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(f, p.left)
}
