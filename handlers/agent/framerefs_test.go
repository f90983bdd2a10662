package agent_test

import (
	"regexp"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// Errors about a ref in a frame name it as the caller wrote it, and candidates with their frame, at every depth.
func TestErrorsNameRefsOfFrames(t *testing.T) {
	pipetest.InCI(t, "it is long, and the transcript page-frames is quick")
	t.Parallel()
	site := pipetest.ServePages(t, map[string]string{"/": "<main><iframe src=/outer></iframe></main>", "/outer": "<h1>Deck</h1><iframe src=/inner></iframe>",
		"/inner": `<button>Weigh</button><button>Anchor</button>`})
	p := pipetest.SharedOn(t, site)
	var outline string
	pipetest.Eventually(t, "the inner frame is there", func() bool {
		outline = p.Text("snapshot", nil)
		return strings.Contains(outline, "Anchor")
	})
	button := ref(t, outline, `button "Weigh"`)
	if !strings.HasPrefix(button, "f2e") {
		t.Fatalf("the ref in the inner frame is %s:\n%s", button, outline)
	}
	for _, given := range []string{"f1e999", "f2e999", "f7e3", "e999"} {
		for what, said := range map[string]string{
			"click":   p.Fail("click", []string{given}),
			"txt":     p.Fail("txt", []string{"ref=" + given}),
			"execute": p.Fail("execute", pipetest.Object{"code": "await $('" + given + "').click()"}),
		} {
			if !strings.Contains(said, "no ref "+given+":") {
				t.Errorf("%s %s: %s", what, given, said)
			}
		}
	}
	p.Call("eval", []string{`frames[0][0].document.body.innerHTML = "<p><button>Weigh</button><ul><li><button>Weigh</button></ul>", 1`})
	said := p.Fail("click", []string{button})
	pipetest.Has(t, said, "ref "+button+" is stale")
	if m := regexp.MustCompile(`what may have its place: (\w+) button "Weigh", (\w+) button "Weigh"`).FindStringSubmatch(said); m == nil || !strings.HasPrefix(m[1], "f2e") || !strings.HasPrefix(m[2], "f2e") {
		t.Errorf("candidates: %s", said)
	} else {
		p.Call("click", []string{m[1]})
	}
}
