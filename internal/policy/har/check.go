package har

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
)

// stray says why a name leads elsewhere than to a file beside the HAR, "" if it does
// not. It is equally strict on all systems.
func stray(name string) string {
	switch {
	case strings.ContainsRune(name, 0):
		return "it is no name of a file"
	case strings.HasPrefix(name, "/"), strings.HasPrefix(name, `\`), len(name) > 1 && name[1] == ':':
		return "it is an absolute path; a HAR may name files beside it only"
	case strings.Contains(name, `\`):
		return "it has a backslash; a HAR may name files beside it only"
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == ".." {
			return "it climbs out of the HAR's folder"
		}
	}
	if !filepath.IsLocal(name) {
		return "it is no file beside the HAR"
	}
	return ""
}

// level is an object or a list that check is inside of.
type level struct {
	list bool
	keys map[string]bool
	key  string // of the current member, "" before the first
	n    int    // of the current element
}

// check walks over all of the text, used or not. It checks its depth, repeated names in
// an object, of which readers differ in which they take, and every _file.
func check(raw []byte) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var way []*level
	for first := true; first || len(way) > 0; first = false {
		t, err := dec.Token()
		if err != nil {
			return fmt.Errorf("it is not JSON: %w", notEOF(err))
		}
		if way, err = step(way, t); err != nil {
			return err
		}
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("it is not JSON: text follows its end")
	}
	return nil
}

func notEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// step takes one token.
func step(way []*level, t json.Token) ([]*level, error) {
	var top *level
	if len(way) > 0 {
		top = way[len(way)-1]
	}
	d, isDelim := t.(json.Delim)
	switch {
	case isDelim && (d == '}' || d == ']'):
		way = way[:len(way)-1]
		next(way)
	case top != nil && !top.list && top.key == "" && !isDelim:
		key := t.(string)
		if top.keys[key] {
			top.key = "." + key
			return nil, fmt.Errorf("%s occurs twice", wayOf(way))
		}
		top.keys[key], top.key = true, "."+key
	default:
		if err := value(way, t); err != nil {
			return nil, err
		}
		if !isDelim {
			next(way)
			break
		}
		if len(way) == MaxDepth {
			return nil, fmt.Errorf("it is nested more than %d deep, at %s", MaxDepth, wayOf(way))
		}
		way = append(way, &level{list: d == '[', keys: map[string]bool{}})
	}
	return way, nil
}

// value checks the value of a member.
func value(way []*level, t json.Token) error {
	if len(way) == 0 || way[len(way)-1].key != "._file" {
		return nil
	}
	switch v := t.(type) {
	case nil:
	case string:
		if why := stray(v); v != "" && why != "" {
			return &Refused{wayOf(way), v, why}
		}
	default:
		return &Refused{wayOf(way), fmt.Sprint(v), "it is no name of a file"}
	}
	return nil
}

// next ends a member or an element.
func next(way []*level) {
	if len(way) > 0 {
		top := way[len(way)-1]
		top.key = ""
		top.n++
	}
}

// wayOf is the walk's position: log.entries[3].response.
func wayOf(way []*level) string {
	var b strings.Builder
	for _, l := range way {
		if l.list {
			b.WriteString("[" + strconv.Itoa(l.n) + "]")
		} else {
			b.WriteString(l.key)
		}
	}
	s := strings.TrimPrefix(b.String(), ".")
	if len(s) > 200 {
		s = s[:200] + "…"
	}
	return s
}
