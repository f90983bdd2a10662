package logins

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

// Held is a request that the browser holds, as the event Fetch.requestPaused has it.
type Held struct {
	ID      string `json:"requestId"`
	TooLong bool   `json:"tooLong"` // its event could not be read, but for the URL
	Request struct {
		URL      string            `json:"url"`
		Fragment string            `json:"urlFragment"`
		Headers  map[string]string `json:"headers"`
		Body     string            `json:"postData"`
		Parts    []struct {
			Bytes string `json:"bytes"` // base64
		} `json:"postDataEntries"`
	} `json:"request"`
}

// Sent returns what the request sends: its headers, and all parts of its body. A body that is not UTF-8 is
// there once more, read as Latin-1.
func (h Held) Sent() Sent {
	s := Sent{URL: h.Request.URL, Fragment: h.Request.Fragment}
	var head, body strings.Builder
	for name, value := range h.Request.Headers {
		head.WriteString(name + ": " + value + "\n")
	}
	for _, part := range h.Request.Parts {
		raw, err := base64.StdEncoding.DecodeString(part.Bytes)
		if err == nil {
			body.Write(raw)
		}
	}
	if body.Len() == 0 {
		body.WriteString(h.Request.Body)
	}
	s.Texts = []string{head.String(), body.String()}
	if !utf8.ValidString(body.String()) { // a form of a page in another encoding, or binary data
		s.Texts = append(s.Texts, latin1(body.String()))
	}
	return s
}

// latin1 reads bytes as Latin-1.
func latin1(text string) string {
	var out strings.Builder
	for i := range len(text) {
		out.WriteRune(rune(text[i]))
	}
	return out.String()
}
