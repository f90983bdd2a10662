package secrets

import (
	"encoding/base64"
	"encoding/json"
	"html"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const hard = `p&ss "w<rd>'\ é+/%`

func set(t *testing.T) *Set {
	t.Helper()
	s, err := New(map[string]string{"PASS": hard, "pin": "4711", "LONGER": "4711-4711", "KEY": "line one\nline two"})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestEveryFormIsMasked(t *testing.T) {
	s := set(t)
	js, _ := json.Marshal(hard)
	twice, _ := json.Marshal(string(js))
	for name, form := range map[string]string{
		"plain": hard, "query": url.QueryEscape(hard), "path": url.PathEscape(hard), "html": html.EscapeString(hard),
		"json": string(js), "json in json": string(twice), "quoted": quoted(hard),
		"inner HTML": strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(hard),
		"component":  strings.ReplaceAll(strings.ReplaceAll(url.QueryEscape(hard), "+", "%20"), "%27", "'"),
		"base64":     base64.StdEncoding.EncodeToString([]byte(hard)),
		"basic auth": base64.StdEncoding.EncodeToString([]byte("me:" + hard)),
		"basic 2":    base64.StdEncoding.EncodeToString([]byte("you:" + hard + "!")),
		"basic 3":    base64.URLEncoding.EncodeToString([]byte("them:" + hard)),
	} {
		got := s.Mask("before " + form + " after")
		if !strings.Contains(got, "<secret:PASS>") || strings.Contains(got, "w<rd") || len(got) > len("before  after")+len("<secret:PASS>")+10 {
			t.Errorf("%s: %q -> %q", name, form, got)
		}
	}
	for in, want := range map[string]string{
		"4711": "<secret:pin>", "x4711x4711": "x<secret:pin>x<secret:pin>", "4711-4711": "<secret:LONGER>",
		"line one line two": "<secret:KEY>", "471 1": "471 1", "": "",
	} {
		if got := s.Mask(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestResolve(t *testing.T) {
	s := set(t)
	for in, want := range map[string]string{
		"{{PASS}}": hard, "a {{pin}} b {{LONGER}}": "a 4711 b 4711-4711", "{{ pin }}": "{{ pin }}", "a {{user}} template": "a {{user}} template", "{{}}": "{{}}",
	} {
		if got, err := s.Resolve(in); err != nil || got != want {
			t.Errorf("%q: %q %v", in, got, err)
		}
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
	for text, want := range map[string]string{"A=abc\n": "shorter than 4", "oops hunter2hunter2 \"\n": "not a dotenv file", "A-B=alpha1\n": "not a "} {
		write(text)
		if _, err := Load(file); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := Load(file + "x"); err == nil {
		t.Error("a file that is not there")
	}
}
