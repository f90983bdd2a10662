package refs

import (
	"strings"
	"testing"
)

func TestSelectorsAsPeopleWriteThem(t *testing.T) {
	for sel, want := range map[string]string{
		`label=Customer name`:                    `internal:label="Customer name"i`,
		`label="Customer name"`:                  `internal:label="Customer name"s`,
		`label='It''s "so"'`:                     `internal:label="It''s \"so\""s`,
		`label="`:                                `internal:label="\""i`,
		`label="A'`:                              `internal:label="\"A'"i`,
		`label=Bob's file >> nth=0`:              `internal:label="Bob's file"i >> nth=0`,
		`label=/it's "so"/i >> visible=true`:     `internal:label=/it\'s \"so\"/i >> visible=true`,
		`placeholder=Search "all"`:               `internal:attr=[placeholder="Search \"all\""i]`,
		`placeholder="a\"b"`:                     `internal:attr=[placeholder="a\"b"s]`,
		`alt = Lamp`:                             `internal:attr=[alt="Lamp"i]`,
		`title=/^a\/b$/`:                         `internal:attr=[title=/^a\/b$/]`,
		`testid=save`:                            `internal:testid=[data-testid="save"s]`,
		`testid="save"`:                          `internal:testid=[data-testid="save"s]`,
		`testid=/save|keep/i`:                    `internal:testid=[data-testid=/save|keep/i]`,
		`#form >> label=A >> ..`:                 `#form >> internal:label="A"i >> ..`,
		`*label=A>>input`:                        `*internal:label="A"i>>input`,
		`li >> internal:has="label=\"Eggs\""`:    `li >> internal:has="internal:label=\"Eggs\"s"`,
		`[title=x]`:                              `[title=x]`,
		`div[alt=x] >> img[title="a >> b"]`:      `div[alt=x] >> img[title="a >> b"]`,
		`text=label=x`:                           `text=label=x`,
		`text="a >> label=b"`:                    `text="a >> label=b"`,
		`role=textbox[name="label=x"]`:           `role=textbox[name="label=x"]`,
		`xpath=//*[@title='x']`:                  `xpath=//*[@title='x']`,
		`"label=x"`:                              `"label=x"`,
		`internal:label="A"i`:                    `internal:label="A"i`,
		`label=灯 & <b>`:                          `internal:label="灯 & <b>"i`,
		`iframe >> internal:control=enter-frame`: `iframe >> internal:control=enter-frame`,
	} {
		if got := engines(sel); got != want {
			t.Errorf("%s\n got %s\nwant %s", sel, got, want)
		}
	}
	for sel, want := range map[string]string{
		`internal:label="Customer \"x\""i`:          `label=Customer "x"`,
		`internal:label="Customer"s >> nth=0`:       `label="Customer" >> nth=0`,
		`internal:attr=[placeholder="Find"i]`:       `placeholder=Find`,
		`internal:testid=[data-testid="save"s]`:     `testid=save`,
		`internal:testid=[data-qa="save"s]`:         `testid=[data-qa="save"s]`,
		`internal:role=button[name="Save"i]`:        `role=button[name="Save"i]`,
		`internal:text="a"i`:                        `text=a`,
		`#f >> internal:control=enter-frame >> #go`: `#f >> frame >> #go`,
	} {
		if got := Written(sel); got != want {
			t.Errorf("%s\n got %s\nwant %s", sel, got, want)
		}
	}
}

func TestPublicSelectors(t *testing.T) {
	for sel, want := range map[string]string{
		`internal:role=button[name="Save"s]`:                                     `role=button[name="Save"]`,
		`internal:role=button[name="Save"i] >> nth=1`:                            `role=button[name*="Save"i] >> nth=1`,
		`internal:role=row[name="a >> b"s] >> internal:role=link`:                `role=row[name="a >> b"] >> role=link`,
		`internal:label="E-mail"i`:                                               `label=E-mail`,
		`internal:label="Bob's file"i`:                                           `internal:label="Bob's file"i`,
		`internal:label="E-mail"s`:                                               `label="E-mail"`,
		`internal:text="a >> b"i`:                                                `internal:text="a >> b"i`,
		`internal:attr=[placeholder="Find"i]`:                                    `placeholder=Find`,
		`internal:testid=[data-testid="save-it"s]`:                               `testid=save-it`,
		`internal:testid=[data-qa="save"s]`:                                      `internal:testid=[data-qa="save"s]`,
		`li >> internal:has-text="Eggs"i`:                                        `li >> internal:has-text="Eggs"i`,
		`iframe[name="a"] >> internal:control=enter-frame >> internal:text="x"s`: `iframe[name="a"] >> internal:control=enter-frame >> text="x"`,
	} {
		if got := Public(sel); got != want {
			t.Errorf("%s\n got %s\nwant %s", sel, got, want)
		}
	}
}

// TestSelectorsHaveABound: in a part that is rewritten, and behind a ref, too.
func TestSelectorsHaveABound(t *testing.T) {
	long := strings.Repeat("a,", longestSelector/2)
	for sel, ok := range map[string]bool{long: true, long + "b": false, "label=" + long: false, "e5 >> " + long: false} {
		if _, err := new(pageRefs).Selector(sel); (err == nil) != ok {
			t.Errorf("%.20s, %d bytes: %v", sel, len(sel), err)
		}
	}
}
