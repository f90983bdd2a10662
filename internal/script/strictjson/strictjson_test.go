package strictjson

import (
	"strings"
	"testing"
)

type options struct {
	Path string `json:"path"`
	Size struct {
		Width int `json:"width"`
	} `json:"size"`
	List []struct {
		Name string `json:"name"`
	} `json:"list"`
}

// Anything that does not match the struct exactly is refused.
func TestDecode(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "",
		"{}":                           "",
		`{"path":"a"}`:                 "",
		`{"path":"\ud800"}`:            "",
		`{"size":{"width":1}}`:         "",
		`{"Path":"a"}`:                 `unknown member "Path"`,
		`{"PATH":"a"}`:                 `unknown member "PATH"`,
		`{"\u0050ath":"a"}`:            `unknown member "Path"`,
		`{"recordHarPath":"a"}`:        `unknown member "recordHarPath"`,
		`{"\u017fize":{}}`:             "unknown member \"\u017fize\"",
		`{"size":{"Width":1}}`:         `unknown member "Width"`,
		`{"list":[{"Name":"a"}]}`:      `unknown member "Name"`,
		`{"path":"a","path":"b"}`:      "duplicate",
		`{"path":"a","p\u0061th":"b"}`: "duplicate",
		`{"path":1}`:                   "path: this number is not expected here",
		`{"size":{"width":"1"}}`:       "size/width: a string is not expected here",
		`{"size":{"width":1e999}}`:     "size/width: this number is not expected here",
		`[]`:                           "the value: an array is not expected here",
		`{"path":"a"} {}`:              "invalid",
		`{"path":`:                     "EOF",
	} {
		var o options
		err := Decode([]byte(text), &o)
		switch {
		case err == nil && want != "":
			t.Errorf("%.60s: was taken", text)
		case err != nil && (want == "" || !strings.Contains(err.Error(), want)):
			t.Errorf("%.60s: %v, want %q", text, err, want)
		}
	}
}
