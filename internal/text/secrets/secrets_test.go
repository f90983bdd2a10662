package secrets

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/text/secrets/secretstest"
)

var odd = secretstest.Odd

func oddSet(t testing.TB) *Set {
	t.Helper()
	values := maps.Clone(odd)
	// Many texts contain a part of these.
	values["URL"], values["LOGIN"] = "https://hooks.mail.example/T0/Zx81kQ/pass", "password-R2d2"
	s, err := New(values)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Every value is found in every encoding, between any texts, and so are the
// pieces of a cut one.
func TestEveryEncodingIsMasked(t *testing.T) {
	s := oddSet(t)
	for name, value := range odd {
		for encoding, encode := range secretstest.Encodings {
			for _, around := range []string{"%s", "before %s after", "https://a.example/x?y=%s&z=1#f", `{"k":"%s"}`, "<a title=\"%s\">x</a>", `C:\%s\n`, "é%sé"} {
				text := strings.Replace(around, "%s", encode(value), 1)
				got := s.Mask(text)
				if left := secretstest.Leak(got, value); left != "" {
					t.Errorf("%s, %s: %q -> %q: %s", name, encoding, text, got, left)
				}
				if !strings.Contains(got, "<secret:") || len(got) > len(around)+len(encode(value))/2+60 && len(value) > 60 {
					t.Errorf("%s, %s: %q -> %q", name, encoding, text, got)
				}
			}
		}
	}
}

// However a text is cut, no eight characters remain.
func TestCutTexts(t *testing.T) {
	s := oddSet(t)
	for name, value := range odd {
		for _, encoding := range []string{"plain", "query", "json", "html", "form"} {
			text := []rune("x" + secretstest.Encodings[encoding](value) + "y")
			for end := range text {
				if left := secretstest.Leak(s.Mask(string(text[:end])+"…"), value); left != "" && name != "PIN" {
					t.Errorf("%s, %s: %s", name, encoding, left)
				}
				if left := secretstest.Leak(s.Mask("…"+string(text[end:])), value); left != "" && name != "PIN" {
					t.Errorf("%s, %s: %s", name, encoding, left)
				}
			}
		}
	}
}

func TestBase64IsMasked(t *testing.T) {
	s := oddSet(t)
	for name, value := range odd {
		if len(value) < 6 {
			continue
		}
		js, _ := json.Marshal(map[string]string{"user": "ada", "pass": value})
		for around, plain := range map[string]string{"alone": value, "basic": "me:" + value, "you": "you:" + value + "!", "them": "them:" + value, "json": string(js)} {
			for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
				text := enc.EncodeToString([]byte(plain))
				for _, text := range []string{text, strings.ReplaceAll(text, "+", "%2B"), text[:len(text)/2] + "\r\n" + text[len(text)/2:]} {
					got := s.Mask("Authorization: Basic " + text + " .")
					if left := secretstest.Leak(got, value); left != "" || !strings.Contains(got, "<secret:"+name+">") {
						t.Errorf("%s, %s: %s -> %s: %s", name, around, text, got, left)
					}
				}
			}
		}
	}
}

// rowsOf reads a table of quoted texts.
func rowsOf(t *testing.T, file string, columns int) (rows [][3]string) {
	t.Helper()
	table, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		var row [3]string
		if _, err := fmt.Sscanf(line, strings.Repeat(" %q", columns)[1:], []any{&row[0], &row[1],
			&row[2]}[:columns]...); err != nil {
			t.Fatal(line, err)
		}
		rows = append(rows, row)
	}
	return rows
}

func TestMask(t *testing.T) {
	s := oddSet(t)
	for _, row := range rowsOf(t, "testdata/mask.txt", 2) {
		if got := s.Mask(row[0]); got != row[1] {
			t.Errorf("%q: %q, want %q", row[0], got, row[1])
		}
	}
	for _, row := range rowsOf(t, "testdata/own.txt", 3) { // a value, a text, and the text with * for the mask
		own, err := New(map[string]string{"V": row[0]})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.ReplaceAll(own.Mask(row[1]), "<secret:V>", "*"); got != row[2] {
			t.Errorf("%q in %q: %q, want %q", row[0], row[1], got, row[2])
		}
	}
	for n := 2 * (maxBytes/2 - 20); n < maxBytes; n += 2 { // of a dump that is read in pieces
		if got := s.Mask(strings.Repeat("0", n) + "6768785f5238664b" + strings.Repeat("0",
			200)); !strings.Contains(got, "<secret:TOKEN>") {
			t.Errorf("after %d digits", n)
		}
	}
	if list := s.Parts("4711 ghx_R8fK"); len(list) != 2 || !list[0].Entire || list[0].Name != "PIN" ||
		list[1].Entire || list[1].Name != "TOKEN" {
		t.Errorf("%+v", list)
	}
	for in, want := range map[string]string{"4711": "<secret:PIN>", "14711": "", "4111111111111234": "<secret:NUMBER>", "41111111111112": "<secret:NUMBER>", "41111111": "<secret:NUMBER>",
		"4111111": "", "7": ""} {
		if got, ok := s.MaskNumber(in); ok != (want != "") || ok && got != want {
			t.Errorf("%s: %s", in, got)
		}
	}
	if got := s.Name(`fill "4711-4711" 4711 ghx_R8fK2`); got != `fill "{{LONGER}}" {{PIN}} <secret:TOKEN>` {
		t.Error(got)
	}
	var none *Set
	if none.Mask("4711") != "4711" || none.Name("4711") != "4711" {
		t.Error("no set has secrets")
	}
}

func TestResolve(t *testing.T) {
	s, err := New(map[string]string{"PASS": odd["QUOTES"], "pin": "4711", "LONGER": "4711-4711", "KEY": "line one\nline two"})
	if err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]string{
		"{{PASS}}": odd["QUOTES"], "a {{pin}} b {{LONGER}}": "a 4711 b 4711-4711", "{{ pin }}": "{{ pin }}", "a {{user}} template": "a {{user}} template", "{{}}": "{{}}",
	} {
		if got, err := s.Resolve(in); err != nil || got != want {
			t.Errorf("%q: %q %v", in, got, err)
		}
	}
	if _, err := s.Resolve("{{pin}} {{FIRST}} {{SECOND}}"); err == nil || !strings.Contains(err.Error(),
		"no secret named FIRST;") {
		t.Error(err)
	}
	store := NewStore(s)
	for _, where := range []string{"here", "here", "there"} {
		store.Pin("PASS", where)
	}
	if _, err := store.Resolve("{{pin}} {{PASS}}"); err == nil || !strings.HasPrefix(err.Error(),
		"PASS is pinned to here and there,") || len(store.Names()) != 3 {
		t.Errorf("%v, %q", err, store.Names())
	}
	for _, in := range []string{"{{PASSWORD}}", "x {{NOPE}} y", "{{nope}}"} {
		if _, err := s.Resolve(in); err == nil || !strings.Contains(err.Error(), "there are KEY, LONGER, PASS, pin") {
			t.Errorf("%q: %v", in, err)
		}
	}
}

func TestLoad(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.env")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("# comment\nA=alpha1\nexport B='be ta'\nC=\"two\\nlines\"\n")
	s, err := Load(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Mask("alpha1 be ta two\nlines"); got != "<secret:A> <secret:B> <secret:C>" {
		t.Errorf("%q", got)
	}
	for text, want := range map[string]string{"A=abc\n": "shorter than 4", "A=\"        \"\n": "shorter than 4", "oops hunter2hunter2 \"\n": "not a dotenv file", "A-B=alpha1\n": "not a "} {
		write(text)
		if _, err := Load(file); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := Load(file + "x"); err == nil {
		t.Error("a file that is not there")
	}
}

// A megabyte of each kind of text.
func BenchmarkMask(b *testing.B) {
	s := oddSet(b)
	line := `- link "Copper Library Lamp" [ref=e299] /products/copper-library-lamp?colour=red&size=2` + "\n"
	html := `<a class="btn btn-primary" href="/products?colour=red&amp;size=2">Copper &amp; Library&nbsp;Lamp</a>` + "\n"
	for name, text := range map[string]string{"outline": line, "html": html, "json": `{\"a\":\"` + line[:40] + `\",\"b\":[1,2]},\n`, "percent": "%E3%81%82%20abc"} {
		text = strings.Repeat(text, 1<<20/len(text))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for range b.N {
				_ = s.Mask(text)
			}
		})
	}
	b.Run("none", func(b *testing.B) {
		var none *Set
		b.SetBytes(1 << 20)
		for range b.N {
			_ = none.Mask(line)
		}
	})
}

func ExampleSet_Mask() {
	s, _ := New(map[string]string{"PASSWORD": "correct horse"})
	fmt.Println(s.Mask("https://a.example/?q=correct%20horse&cut=correct%20h…"))
	// Output: https://a.example/?q=<secret:PASSWORD>&cut=<secret:PASSWORD>…
}
