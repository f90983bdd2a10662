package state

import (
	"fmt"
	"strings"
	"testing"

	"pwpipe/internal/policy/storagestate"
)

// The number of origins and the bytes are bounded: the newest are kept.
func TestSessionStorageBounds(t *testing.T) {
	var s sessionStorage
	fill := func(count, bytes int) {
		var list []storagestate.SessionStorage
		for i := range count {
			list = append(list, storagestate.SessionStorage{Origin: fmt.Sprint("https://", i, ".example"),
				Items: []byte(strings.Repeat("x", bytes))})
		}
		s.restore(list)
	}
	fill(maxSessionOrigins+10, 1)
	if err := s.trim(); err != nil || len(s.kept()) != maxSessionOrigins || s.kept()[0].Origin != "https://0.example" {
		t.Errorf("%d are kept, %v", len(s.kept()), err)
	}
	fill(9, maxSessionOrigin)
	if err := s.trim(); err == nil || !strings.Contains(err.Error(), "that of https://8.example is left out") || len(s.kept()) != 8 {
		t.Errorf("%d are kept, %v", len(s.kept()), err)
	}
}
