package eachtool_test

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestMarkdownOfSpans: a table is written as one, unless its spans make too many cells of it.
func TestMarkdownOfSpans(t *testing.T) {
	pipetest.InCI(t, "it is about a corner, and the transcript reads is quick")
	t.Parallel()
	site := pipetest.ServePages(t, map[string]string{
		"/small":   "<p>a<table><tr><th>wide<th>x<tr><td rowspan=3>y<td>z</table>",
		"/rows":    "<p>a<table><tr><th>wide<th>x<tr><td rowspan=25000>y<td>z</table>",
		"/columns": "<p>a<table><tr><th>wide<th>x<tr><td colspan=25000>y<td>z</table>",
	})
	p := pipetest.Shared(t)
	whole := pipetest.Object{"whole": true}
	for path, isTable := range map[string]bool{"/small": true, "/rows": false, "/columns": false} {
		p.Call("nav", list(site+path))
		text := p.Text("markdown", whole)
		if !strings.Contains(text, "wide") || !strings.Contains(text, "z") || strings.Contains(text, "|") != isTable {
			t.Errorf("%s is to be a table: %t, and is %d bytes: %.200s", path, isTable, len(text), text)
		}
	}
}
