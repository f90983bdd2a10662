package handles

import (
	"testing"
)

func TestTable(t *testing.T) {
	h := New[*int]("p")
	a, b, c := new(int), new(int), new(int)
	for want, v := range map[string]*int{"p1": a} {
		if got := h.Add(v); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if h.Add(b) != "p2" || h.Add(c) != "p3" || h.Add(b) != "p2" {
		t.Error("names are wrong, or given twice")
	}
	h.Use("p1")
	if h.Newest() != "p1" {
		t.Error("newest is not the one used last")
	}
	h.Remove(a, "it was closed")
	if h.Newest() != "p3" || h.Add(new(int)) != "p4" {
		t.Error("a name was used again, or the order is lost")
	}
	for name, want := range map[string]string{
		"p1": "page p1 is gone: it was closed; open pages: p2, p3, p4",
		"p9": "no page p9; open pages: p2, p3, p4",
		"":   "no page ; open pages: p2, p3, p4",
	} {
		if got := h.Missing("page", name); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	for name, want := range map[string]bool{"p1": true, "p4": true, "p5": false, "p0": false, "p01": false, "c1": false, "p-1": false, "p": false} {
		if h.Known(name) != want {
			t.Errorf("known(%q) = %v", name, !want)
		}
	}
}

func TestLabels(t *testing.T) {
	h := New[*int]("p")
	a, b := new(int), new(int)
	h.Add(a)
	h.Add(b)
	if h.Label("p1", "cart") != "" || h.Label("p2", "cart") != "p1" || h.Resolve("cart") != "p1" {
		t.Error("a label that is taken moved")
	}
	if h.Label("p1", "shop") != "" || h.Resolve("cart") != "cart" || h.LabelOf("p1") != "shop" {
		t.Error("a page has two labels, or none")
	}
	if got := h.Missing("page", "cart"); got != "no page cart; open pages: p1 (shop), p2" {
		t.Errorf("got %q", got)
	}
	h.Remove(a, "it was closed")
	if h.Resolve("shop") != "shop" || h.Label("p2", "shop") != "" || h.Resolve("shop") != "p2" {
		t.Error("the label of a page that is gone is not free")
	}
	if h.Label("p2", "") != "" || h.LabelOf("p2") != "" || h.Resolve("") != "" {
		t.Error("a label can't be taken away")
	}
}
