//go:build evidence

package miniwob

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// view is what a server shows of a page: the lines, and the elements that their refs lead to.
type view struct {
	lines []line
	at    map[string]spot // by ref
	text  string          // all words, without spaces
}

// line is one line of an outline, or the part of one that ends with a ref and what belongs to it.
type line struct {
	ref, text string
	marks     string
	place     string
	depth     int
}

// spot is where a ref leads: the element as a path of indices, the one that a click on its middle
// hits, and the field that a click on a label goes to.
type spot struct{ Path, Hit, Field string }

// findElement says where an element is. It runs in the page, of either server.
const findElement = `(el) => {
  const path = (e) => {
    const p = [];
    for (; e?.parentNode; e = e.parentNode) p.unshift([...e.parentNode.childNodes].indexOf(e));
    return p.join('/');
  };
  el.scrollIntoView({block: 'nearest', inline: 'nearest'});
  const b = el.getBoundingClientRect();
  const hit = document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2);
  return {path: path(el), hit: hit ? path(hit) : '', field: path((hit ?? el).closest('label')?.control)};
}`

// eachElement asks for the elements of many refs in one call.
const eachElement = `const at = {};
for (const ref of %s) {
  at[ref] = await page.locator('aria-ref=' + ref).evaluate(%s, null, {timeout: 5000}).catch(() => null);
}
return JSON.stringify(at);`

// peer is Playwright MCP on the same browser.
func peer(t *testing.T) *exec.Cmd {
	t.Helper()
	return pipetest.Peer(t, pipetest.PlaywrightMCP, pipetest.PlaywrightMCPFile,
		"--headless", "--isolated", "--no-sandbox", "--executable-path", pipetest.Installed(t).Executable)
}

// viewOf reads an outline. A call of run answers a script's result.
func viewOf(t *testing.T, out string, run func(code string) string) *view {
	t.Helper()
	v := &view{lines: split(out), at: map[string]spot{}}
	var refs []string
	for _, l := range v.lines {
		v.text += squeeze(l.text)
		if l.ref != "" {
			refs = append(refs, l.ref)
		}
	}
	list, _ := json.Marshal(refs)
	answer := run(fmt.Sprintf(eachElement, list, findElement))
	if err := json.Unmarshal([]byte(answer), &v.at); err != nil {
		t.Fatalf("%v: %s", err, answer)
	}
	return v
}

var (
	reStart = regexp.MustCompile(`^(\s*)- `)
	reBox   = regexp.MustCompile(`\[box=(-?[\d.]+),(-?[\d.]+),([\d.]+),([\d.]+)\]`)
	// reTrivial are attributes that tell nothing of an element.
	reTrivial = regexp.MustCompile(` ?\[(?:ref|box)=[^\]]*\]| ?\[cursor=pointer\]`)
	// rePart ends a part of a line that has several refs.
	rePart = regexp.MustCompile(`\[ref=\w+\](?: \[[^\]]*\])*(?: \([^()]*\))?(?:: [^|]*$)?`)
)

// split reads the lines of an outline, of either server.
func split(out string) (list []line) {
	for raw := range strings.Lines(out) {
		m := reStart.FindStringSubmatch(raw)
		if m == nil {
			continue
		}
		raw = strings.TrimRight(raw[len(m[0])-2:], "\n")
		ends := rePart.FindAllStringIndex(raw, -1)
		if len(ends) == 0 || ends[len(ends)-1][1] < len(raw) {
			ends = append(ends, []int{0, len(raw)})
		}
		from := 0
		for _, end := range ends {
			part := raw[from:end[1]]
			l := line{text: strings.Join(words(raw, from, end[1]), " "), depth: len(m[1])}
			from = end[1]
			if r := reRef.FindStringSubmatch(part); r != nil {
				l.ref = r[1]
			}
			l.marks = reTrivial.ReplaceAllString(part, "")
			if b := reBox.FindStringSubmatch(part); b != nil {
				l.place = fmt.Sprintf("%sx%s at %s,%s", b[3], b[4], b[1], b[2])
			} else {
				l.place = rePlace.FindString(part)
			}
			list = append(list, l)
		}
	}
	return list
}

// squeeze drops spaces and quotes, since servers break texts in different places.
func squeeze(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return r <= ' ' || r == '\u00a0' || strings.ContainsRune(`"'\`, r)
	}), "")
}
