package scripthost

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
)

// A script waits for the one before it, but not beyond its own deadline.
func TestOneScriptAtATime(t *testing.T) {
	r := lonely(t)
	close(r.queue.ready)
	leave, err := r.queue.enter(t.Context(), r.process.gone)
	if err != nil {
		t.Fatal(err)
	}
	late, cancel := context.WithCancel(t.Context())
	second := make(chan error)
	go func() {
		_, err := r.queue.enter(late, r.process.gone)
		second <- err
	}()
	cancel()
	if err := <-second; !errors.Is(err, context.Canceled) {
		t.Errorf("beside another: %v", err)
	}
	leave()
	if leave, err = r.queue.enter(t.Context(), r.process.gone); err != nil {
		t.Errorf("after another: %v", err)
	}
	leave()
}

// A script returns its turn if its process never becomes ready.
func TestScriptWithoutAProcess(t *testing.T) {
	r := lonely(t)
	late, cancel := context.WithCancel(t.Context())
	cancel()
	for range 2 {
		if _, err := r.queue.enter(late, r.process.gone); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if len(r.queue.turn) != 0 {
			t.Fatal("it keeps its turn")
		}
	}
	close(r.process.gone)
	if _, err := r.queue.enter(t.Context(), r.process.gone); err != nil {
		t.Error(err)
	}
	if !isClosed(r.process.gone) {
		t.Error("it has ended")
	}
}

// A run's files are the newest, each once.
func TestWrittenFiles(t *testing.T) {
	x := &run{}
	var want []string
	for i := range maxWritten + 5 {
		x.wrote(fmt.Sprint("/", i))
		if i >= 6 {
			want = append(want, fmt.Sprint("/", i))
		}
	}
	x.wrote("/5")
	if got := x.files(); !slices.Equal(got, append(want, "/5")) {
		t.Errorf("%v, expected %v", got, want)
	}
}

// A call is answered once, by its number, and not after the process has ended.
func TestAnswersToCalls(t *testing.T) {
	c := &calls{waiting: map[int64]chan frame{}}
	answer := make(chan frame, 1)
	if !c.expect(7, answer) {
		t.Fatal("it may be answered")
	}
	for _, f := range []frame{{head: head{ID: 8}}, {head: head{ID: 7}}, {head: head{ID: 7}, size: 1}} {
		c.answered(f)
	}
	if f := <-answer; f.ID != 7 || f.size != 0 || len(answer) != 0 {
		t.Errorf("answered with %+v", f)
	}
	c.close()
	if c.expect(9, answer) {
		t.Error("the process has ended")
	}
	if _, err := c.do(t.Context(), nil, called{Name: "x"}, nil); !errors.Is(err, errEnded) {
		t.Error(err)
	}
}
