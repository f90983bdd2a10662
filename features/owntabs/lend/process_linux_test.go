package lend

import (
	"os"
	"testing"
	"time"
)

// TestProcessOfAProgram: the person sees the process that an agent is of, whatever it says.
func TestProcessOfAProgram(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	l := p.lender()
	s := Service{Lender: l, Spare: time.Minute, Idle: time.Hour}.served(t)
	conn := s.raw(`{"process":1}` + "\x00")
	if err := readWelcome(conn, &welcome{}); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Write([]byte(`{"id":1,"method":"Pwpipe.lend"}` + "\x00")); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	if _, agents, err := l.Tabs(t.Context()); err != nil || len(agents) != 1 || agents[0].Process != os.Getpid() {
		t.Errorf("%v (%v)", agents, err)
	}
}
