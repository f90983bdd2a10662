package storagestate

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
)

// States of Playwright and of agent-browser become states that can be restored.
func TestImport(t *testing.T) {
	text := `{"cookies":[{"name":"a","value":"<1>","domain":"x.example","path":"/","expires":-1,` +
		`"httpOnly":true,"secure":false,"sameSite":"Lax"},` +
		`{"name":"b","value":"2","domain":"x.example","path":"/","expires":12.5,` +
		`"size":2,"session":false,"sameSite":"None"},` +
		`{"name":"c","value":"3","domain":"x.example","path":"/","expires":0,"session":true}],` +
		`"origins":[{"origin":"https://x.example:81","localStorage":[{"name":"k","value":"\ud800<"}],"sessionStorage":[ ],` +
		`"indexedDB":[{"name":"db","version":1,"stores":[{"name":"s","autoIncrement":false,` +
		`"indexes":[{"name":"i","keyPath":"p","multiEntry":false,"unique":true}],` +
		`"records":[{"key":"who","value":{"any":[1]}},{"keyEncoded":{"d":"2"},"valueEncoded":{"v":"null"}}]}]}]},` +
		`{"origin":"http://y.example","localStorage":[],"sessionStorage":[{"name":"s","value":"1"}]}]}`
	got, err := Import([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := strings.NewReplacer(`,"size":2,"session":false`, "", `"expires":0,"session":true`, `"expires":-1`,
		`"<1>"`, `"\u003c1\u003e"`).Replace(text)
	want = strings.Replace(want, `,"sessionStorage":[ ]`, "", 1)
	if string(bytes.TrimSpace(got)) != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if _, err := Parse(got); err != nil {
		t.Error(err)
	}
	if again, err := Import(got); err != nil || !bytes.Equal(again, got) {
		t.Errorf("a state of ours: %s, %v", again, err)
	}
	if got, err := Import([]byte(`{"cookies":[]}`)); err != nil || string(got) != `{"cookies":[],"origins":[]}`+"\n" {
		t.Errorf("%s, %v", got, err)
	}
}

// Other files are refused, and the error names the part.
func TestImportRefuses(t *testing.T) {
	table, err := os.ReadFile("testdata/refused.txt")
	if err != nil {
		t.Fatal(err)
	}
	refused := map[string]string{`{"cookies":[]` + strings.Repeat(" ", MaxImport) + `}`: "more than 32 MiB"}
	for line := range strings.Lines(string(table)) {
		var text, want string
		if _, err := fmt.Sscanf(line, "%q %q", &text, &want); err != nil {
			t.Fatal(err)
		}
		refused[text] = want
	}
	for text, want := range refused {
		if got, err := Import([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.99s: %s, %v, want %q", text, got, err, want)
		}
	}
}
