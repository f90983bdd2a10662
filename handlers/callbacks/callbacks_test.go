package callbacks

import (
	"slices"
	"testing"
)

// Callbacks run in order, may be removed while they run, and run once when drained.
func TestList(t *testing.T) {
	var list List[string]
	var got []string
	add := func(name string) func() { return list.Add(func(v string) { got = append(got, name+v) }) }
	add("a")
	var removeC func()
	list.Add(func(string) { removeC() })
	removeC = add("c")
	add("d")
	for _, run := range []struct {
		call func(string)
		want []string
	}{
		{list.Call, []string{"a1", "c1", "d1"}},
		{list.Drain, []string{"a1", "d1"}},
		{list.Call, nil},
	} {
		got = nil
		run.call("1")
		if !slices.Equal(got, run.want) {
			t.Errorf("called %v, want %v", got, run.want)
		}
	}
}
