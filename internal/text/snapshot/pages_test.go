package snapshot

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"pwpipe/internal/pipetest"
)

// TestPages: what is made of pages. In testdata/pages.txtar the name of a file is what is shown, and what is made, with
// options; its text is a page, or two with --- between, as [page] reads them. "times N" has the lines up to "end" N
// times, with % for the number. Behind each stands what comes out.
func TestPages(t *testing.T) {
	const file = "testdata/pages.txtar"
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []txtar.File
	for _, f := range a.Files {
		if f.Name != "=" {
			_, what, _ := strings.Cut(f.Name, ": ")
			out = append(out, f, txtar.File{Name: "=", Data: []byte(made(t, what, string(f.Data)) + "\n")})
		}
	}
	a.Files = out
	pipetest.Golden(t, file, string(txtar.Format(a)))
}

var repeats = regexp.MustCompile(`(?ms)^times (\d+)\n(.*?)^end\n`)

func made(t *testing.T, what, text string) string {
	t.Helper()
	var trees []*Node
	for one := range strings.SplitSeq(text, "---\n") {
		one = repeats.ReplaceAllStringFunc(one, func(s string) (lines string) {
			n, parts := 0, repeats.FindStringSubmatch(s)
			_, _ = fmt.Sscan(parts[1], &n)
			for i := range n {
				lines += strings.ReplaceAll(parts[2], "%", fmt.Sprint(i))
			}
			return lines
		})
		trees = append(trees, page(t, strings.FieldsFunc(one, func(r rune) bool { return r == '\n' })...))
	}
	before, n := trees[0], trees[len(trees)-1]
	how, rest, _ := strings.Cut(what+" ", " ")
	number := func(name string) (n int) {
		_, value, _ := strings.Cut(" "+rest, " "+name+"=")
		_, _ = fmt.Sscan(value, &n)
		return n
	}
	o := Options{Controls: strings.Contains(rest, "controls"), Whole: strings.Contains(rest, "whole"),
		Depth:  number("depth"),
		Budget: number("budget")}
	switch how {
	case "lines":
		return Text(n.Lines(o.Depth))
	case "search":
		re := regexp.MustCompile(strings.Fields(rest)[0])
		return Search(n.Outline(Options{Whole: true}), re, number("limit"), number("around")).Text
	case "diff":
		return Diff(before.Outline(o), n.Outline(o))
	case "changes":
		front, rest := Changes(before.Outline(o), n.Outline(o))
		return strings.Join(front, "\n") + "\n\n" + strings.Join(rest, "\n")
	case "news":
		text, another := n.News(before, o, number("most"), nil)
		return fmt.Sprint(text, "\nanother: ", another)
	case "familiar":
		n = n.Familiar(before)
	}
	out := n.Fit(o)
	return strings.TrimSuffix(Text(out.Lines)+"\n"+out.Note(), "\n")
}
