package launch

import "testing"

// A driver that works, or gets what the browser said, comes forward; one that
// only waits does not.
func TestProgress(t *testing.T) {
	old := progress{passed: 10, worked: 5}
	for _, c := range []struct {
		now  progress
		want bool
	}{
		{progress{10, 5}, false},
		{progress{10, 5.01}, false},
		{progress{11, 5}, true},
		{progress{10, 5.5}, true},
	} {
		if c.now.after(old) != c.want {
			t.Errorf("%+v after %+v: %v", c.now, old, !c.want)
		}
	}
}
