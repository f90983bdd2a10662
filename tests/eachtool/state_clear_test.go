package eachtool_test

import (
	"fmt"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestClearSomeCookies: each filter of clear-cookies keeps the cookies that it does not match, and together they
// delete what all of them match.
func TestClearSomeCookies(t *testing.T) {
	t.Parallel()
	p := pipetest.SharedOn(t, "/cookies")
	cookies := [][3]string{ // name, domain, path
		{"a", "one.example", "/"}, {"a", "one.example", "/in"}, {"a", "two.example", "/"}, {"b", "one.example", "/in"},
	}
	for _, c := range []struct {
		name, domain, path string
		left               string // numbers of the cookies
	}{
		{"a", "", "", "3"}, {"", "one.example", "", "2"}, {"", "", "/in", "0 2"}, {"a", "one.example", "", "2 3"},
		{"a", "", "/in", "0 2 3"}, {"", "one.example", "/", "1 2 3"}, {"b", "two.example", "", "0 1 2 3"},
	} {
		p.Call("clear-cookies", nil)
		for i, k := range cookies {
			p.Call("set-cookie", pipetest.Object{"name": k[0], "value": fmt.Sprint(i), "domain": k[1], "path": k[2]})
		}
		filter := pipetest.Object{}
		for key, text := range map[string]string{"name": c.name, "domain": c.domain, "path": c.path} {
			if text != "" {
				filter[key] = text
			}
		}
		p.Call("clear-cookies", filter)
		left := map[string]bool{}
		for _, k := range pipetest.Get[[]struct{ Value string }](p, "cookies", nil) {
			left[k.Value] = true
		}
		for i := range cookies {
			if n := fmt.Sprint(i); left[n] != strings.Contains(c.left, n) {
				t.Errorf("%v: left are %v, want %s", filter, left, c.left)
				break
			}
		}
	}
}
