package cdpview

import "testing"

func TestSet(t *testing.T) {
	var s set[string]
	if s.contains("a") || s.remove("a") || !s.add("a") || !s.contains("a") {
		t.Error("it has what was added")
	}
	s.addBounded("b", 2)
	s.addBounded("c", 2)
	if list := s.list(); len(list) != 2 || !s.contains("c") {
		t.Errorf("it has %v, of two at most", list)
	}
	if !s.remove("c") || s.contains("c") {
		t.Error("it has what was removed")
	}
	if last := s.close(); len(last) != 1 || s.add("d") || s.contains("d") || len(s.list()) != 0 {
		t.Errorf("closed, with %v", last)
	}
}
