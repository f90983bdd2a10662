package storagestate

import (
	"fmt"
	"strings"
	"testing"
)

// Playwright's files are read. Names that only resemble its own are refused.
func TestParse(t *testing.T) {
	s, err := Parse([]byte(`{"cookies":[{"name":"a","value":"1","domain":"x.example","path":"/","expires":-1,"httpOnly":true,"secure":false,
		"sameSite":"Lax","partitionKey":"https://x.example","_crHasCrossSiteAncestor":false}],
		"origins":[{"origin":"https://x.example","localStorage":[{"name":"k","value":"v"}],"indexedDB":[]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if c := s.Cookies[0]; c.Name != "a" || *c.Domain != "x.example" || !*c.HttpOnly || *c.Secure || *c.SameSite != "Lax" || *c.Expires != -1 || *c.PartitionKey != "https://x.example" {
		t.Errorf("%+v", c)
	}
	if o := s.Origins[0]; o.Origin != "https://x.example" || o.LocalStorage[0].Value != "v" {
		t.Errorf("%+v", o)
	}
	for _, text := range []string{`{"Cookies":[]}`, `{"cookies":[{"Name":"a"}]}`, `{"origins":[{"origin":"a","localstorage":[]}]}`, `{"cookies":[],"path":"/etc/passwd"}`} {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), "unknown member") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// Names are read without the values.
func TestReadNames(t *testing.T) {
	n, err := ReadNames([]byte(`{"cookies":[{"name":"a","value":"secret","domain":"x.example","path":"/","expires":12}],
		"origins":[{"origin":"https://x.example","localStorage":[{"name":"k","value":"secret"}],"indexedDB":[{"name":"db","stores":[]}],"sessionStorage":[{"name":"s","value":"secret"}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(n), "{[{a x.example / 12}] [{https://x.example [k] [s] [db]}]}"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if _, err := ReadNames([]byte(`{"cookies":[`)); err == nil {
		t.Error("half a state is read")
	}
}

// Session storage is added to a state and taken out of it, exactly. IndexedDB stays, also where an origin has nothing else.
func TestSession(t *testing.T) {
	plain := `{"cookies":[{"name":"a","value":"<1>","domain":"x.example","path":"/","_crHasCrossSiteAncestor":false}],` +
		`"origins":[{"origin":"https://x.example","localStorage":[{"name":"k","value":"v"}]},` +
		`{"origin":"https://z.example","localStorage":[],"indexedDB":[{"name":"db","stores":[]}]}]}` + "\n"
	list := []SessionStorage{
		{"https://x.example", []byte(`[{"name":"s","value":"\ud800<é"}]`)},
		{"https://z.example", []byte(`[{"name":"z","value":""}]`)},
		{"https://y.example", []byte(`[{"name":"","value":""}]`)},
	}
	with, err := WithSession([]byte(plain), list)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Parse(with); err != nil {
		t.Error(err)
	}
	rest, got, err := SplitSession(with)
	if err != nil || string(rest) != plain || fmt.Sprintf("%s", got) != fmt.Sprintf("%s", list) {
		t.Errorf("%s, %s, %v", rest, got, err)
	}
	if same, err := WithSession([]byte(plain), nil); err != nil || string(same) != plain {
		t.Errorf("%s, %v", same, err)
	}
}
