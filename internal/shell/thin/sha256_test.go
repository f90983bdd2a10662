package thin

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"
)

func TestSum256(t *testing.T) {
	text := []byte{}
	for n := range 300 {
		want := sha256.Sum256(text)
		if got := sum256(text); got != hex.EncodeToString(want[:]) {
			t.Fatalf("%d bytes: %s", n, got)
		}
		text = append(text, byte(n*7+1))
	}
}
