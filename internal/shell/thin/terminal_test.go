package thin

import "testing"

// TestVisibleDirections: no text turns the direction of what stands around it on a terminal.
func TestVisibleDirections(t *testing.T) {
	for _, r := range "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069" {
		text := "a" + string(r) + "b"
		want := "a\\u20" + string(hexDigits[r>>4&15]) + string(hexDigits[r&15]) + "b"
		if got := string(Visible([]byte(text))); got != want {
			t.Errorf("%+q: %q, want %q", text, got, want)
		}
	}
	const plain = "שלום עולם\u200f, مرحبا\u200e, क्\u200dष" // marks that only place what is beside them
	if got := string(Visible([]byte(plain))); got != plain {
		t.Errorf("%+q: %+q", plain, got)
	}
}
