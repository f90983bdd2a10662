package secrets

import "testing"

func TestCut(t *testing.T) {
	for _, c := range []struct {
		in   string
		most int
		want string
	}{
		{"abc", 3, "abc"}, {"abcd", 3, "abc"}, {"éàü!", 3, "éàü"}, {"", 3, ""},
		{"ab<secret:PIN>cd", 2, "ab"}, {"ab<secret:PIN>cd", 3, "ab<secret:PIN>"}, {"ab<secret:PIN>cd", 13, "ab<secret:PIN>"},
		{"ab<secret:PIN>cd", 14, "ab<secret:PIN>"}, {"ab<secret:PIN>cd", 15, "ab<secret:PIN>c"},
		{"<secret:A> <secret:B>", 12, "<secret:A> <secret:B>"}, {"<secret:" + string(make([]byte, 200)) + ">", 20,
			"<secret:" + string(make([]byte, 12))},
	} {
		if got := Cut(c.in, c.most); got != c.want {
			t.Errorf("%q to %d: %q, want %q", c.in, c.most, got, c.want)
		}
	}
	for in, want := range map[string]string{"abcd": "abcd", "abcde": "abc…", "abc<secret:A>": "abc…", "ab<secret:A>": "ab<secret:A>", "ab<secret:A>cdef": "ab<secret:A>…"} {
		if got := Shorten(in, 4); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
