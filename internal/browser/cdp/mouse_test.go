package cdp

import (
	"context"
	"slices"
	"testing"
)

// TestOnMouse: who follows the mouse of a session hears of it, and of no other, until they stop.
func TestOnMouse(t *testing.T) {
	c := New(nothing{}, nothing{})
	var got []Mouse
	one := &Session{conn: c, id: "ONE", gone: make(chan struct{})}
	stop := one.OnMouse(func(m Mouse) { got = append(got, m) })
	for _, text := range []string{
		`{"id":1,"method":"Input.dispatchMouseEvent","params":{"type":"mouseMoved","x":1.5,"y":2},"sessionId":"ONE"}`,
		`{"id":2,"method":"Input.dispatchMouseEvent","params":{"type":"mouseMoved","x":3,"y":4},"sessionId":"TWO"}`,
		`{"id":3,"method":"Runtime.evaluate","params":{"expression":"\"Input.dispatchMouseEvent\""},"sessionId":"ONE"}`,
	} {
		_ = c.send([]byte(text + "\x00"))
	}
	one.Send("Input.dispatchMouseEvent", map[string]any{"type": "mousePressed", "x": 5, "y": 6}, nil)
	stop()
	stop()
	one.Send("Input.dispatchMouseEvent", map[string]any{"type": "mouseReleased", "x": 5, "y": 6}, nil)
	if want := []Mouse{{"mouseMoved", 1.5, 2}, {"mousePressed", 5, 6}}; !slices.Equal(got, want) {
		t.Errorf("heard %v", got)
	}
	if c.mice.any.Load() != 0 || len(c.mice.of) != 0 {
		t.Error("somebody still listens")
	}
}

// nothing is a browser that says nothing and takes everything.
type nothing struct{}

func (nothing) Read([]byte) (int, error)       { <-context.Background().Done(); return 0, nil }
func (nothing) Write(text []byte) (int, error) { return len(text), nil }
func (nothing) Close() error                   { return nil }
