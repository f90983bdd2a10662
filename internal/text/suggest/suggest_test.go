package suggest

import (
	"slices"
	"testing"
)

func TestNames(t *testing.T) {
	tools := []string{"nav", "click", "dclick", "fill", "clear", "txt", "attr", "new-ctx", "new-page", "close-page", "use-page", "shot", "session.create"}
	for name, want := range map[string][]string{
		"navigate":       {"nav"},
		"Nav":            {"nav"},
		"clik":           {"click"},
		"lcick":          {"click"},
		"newpage":        {"new-page"},
		"new_page":       {"new-page"},
		"sesion.create":  {"session.create"},
		"sessions":       nil,
		"frobnicate":     nil,
		"":               nil,
		"nope":           nil,
		"txtt":           {"txt"},
		"closepages":     {"close-page"},
		"session-create": {"session.create"},
	} {
		if got := Names(name, tools); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

func TestHint(t *testing.T) {
	all := []string{"read", "reach", "record", "rpc"}
	for name, want := range map[string]string{
		"raed": "did you mean read?", "reac": "did you mean reach or read?", "xyz": "",
	} {
		if got := Hint(name, all); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

func TestOurs(t *testing.T) {
	for name, want := range map[string][]string{
		"browser_click": {"click", "dclick", "rclick"}, "goto": {"nav"}, "get text": {"txt"}, "getText": {"txt"},
		"navigate_page": {"nav", "back", "forward", "reload"}, "click": nil, "": nil,
		"agent_browser_get_text": {"txt"}, "agent_browser_mouse_down": {"mouse-down"}, "chat": nil,
		"--browserUrl": {"--cdp"}, "--browser-url": {"--cdp"}, "browser-url": nil, "--no-category-input": {"--tools", "--profile"},
	} {
		if got := Of(name).Ours; !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

func TestEdits(t *testing.T) {
	for _, c := range []struct {
		a, b string
		n    int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"kitten", "sitting", 3}, {"ca", "abc", 3}, {"é", "e", 1}} {
		if n := edits([]rune(c.a), []rune(c.b)); n != c.n {
			t.Errorf("%q %q: got %d, want %d", c.a, c.b, n, c.n)
		}
	}
}

func TestRanked(t *testing.T) {
	labels := []string{"Postcode", "Name of the company", "Customer no.", "The customer's name", "Phone"}
	for name, want := range map[string][]string{
		"Customer":      {"Customer no.", "The customer's name"},
		"customer name": {"The customer's name", "Customer no."},
		"Post code":     {"Postcode", "Customer no."},
		"Fone":          {"Phone", "Postcode"},
		"Custmer":       {"Customer no.", "The customer's name"},
	} {
		if got := Ranked(name, labels, 2); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if got := Ranked("x", nil, 3); len(got) != 0 {
		t.Errorf("of nothing: %q", got)
	}
}
