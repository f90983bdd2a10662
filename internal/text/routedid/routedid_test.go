package routedid

import (
	"strings"
	"testing"
)

func TestIDs(t *testing.T) {
	for _, name := range []string{"", "a", "pwpipe-12", strings.Repeat("x", 63)} {
		id := New("s", name)
		if err := Check(name); err != nil || Of(id) != name || !strings.HasPrefix(id, "s_"+name) || id == New("s", name) {
			t.Errorf("%q: %s is of %q: %v", name, id, Of(id), err)
		}
		if short := Short(id); !strings.Contains(short, name) || len(short)-len(name) > len("s__12345678…") || !strings.HasPrefix(id, strings.TrimSuffix(short, "…")) {
			t.Errorf("%s is shortened to %s", id, short)
		}
	}
	for _, name := range []string{"a_b", "a.b", "-a", "a-", "a b", "ä", "a\n", strings.Repeat("x", 64)} {
		if Check(name) == nil {
			t.Errorf("%q is a name", name)
		}
		if of := Of("s_" + name + "_1"); of != "" {
			t.Errorf("%q is a name: %q", name, of)
		}
	}
	if Of("") != "" || Of("s_1") != "" || Short("s_1") != "s_1" {
		t.Error("something else was taken for an id")
	}
}
