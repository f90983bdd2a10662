package logins

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
)

// TestWhatARequestSends: headers and all parts of a body are judged, as Latin-1 too where they are
// no UTF-8.
func TestWhatARequestSends(t *testing.T) {
	var h Held
	part := func(text string) string { return `{"bytes":"` + base64.StdEncoding.EncodeToString([]byte(text)) + `"}` }
	event := `{"requestId":"1","request":{"url":"http://a/b","urlFragment":"#c","headers":{"Referer":"d"},"postData":"lost",
		"postDataEntries":[` + part("P\xe4") + `,{},` + part("\xdfwort") + `]}}`
	if err := json.Unmarshal([]byte(event), &h); err != nil {
		t.Fatal(err)
	}
	s := h.Sent()
	if s.URL != "http://a/b" || s.Fragment != "#c" || !strings.Contains(s.Texts[0], "Referer: d") || s.Texts[1] != "P\xe4\xdfwort" || s.Texts[2] != "Päßwort" {
		t.Errorf("%+v", s)
	}
	if err := json.Unmarshal([]byte(`{"request":{"postData":"alone","postDataEntries":[]}}`), &h); err != nil ||
		h.Sent().Texts[1] != "alone" {
		t.Errorf("%+v, %v", h.Sent(), err)
	}
}
