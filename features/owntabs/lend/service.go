package lend

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"
)

// Service keeps the connection for the programs of a user, whichever of them ends.
type Service struct {
	Lender *Lender
	Build  string        // a program of another one gets another service, once nobody uses this one
	Spare  time.Duration // what it waits for its first program
	Idle   time.Duration // how long it keeps the connection while no program uses it
}

// acceptPause is after a connection that could not be accepted.
const acceptPause = 50 * time.Millisecond

// Run serves until the browser is gone, nobody has used it for long, or ctx ends. The tabs that
// agents opened are closed then.
func (s *Service) Run(ctx context.Context, l net.Listener) {
	ctx, end := context.WithCancel(ctx)
	defer end()
	came, left := make(chan *guest), make(chan struct{})
	var early sync.WaitGroup // those that have not been taken
	accepted := make(chan struct{})
	go func() {
		defer close(accepted)
		for {
			conn, err := l.Accept()
			switch {
			case err == nil:
			case ctx.Err() != nil || errors.Is(err, net.ErrClosed):
				return
			default: // there may be too many connections; it listens on when some have ended
				time.Sleep(acceptPause)
				continue
			}
			early.Go(func() { s.enter(ctx, conn, came) })
		}
	}()
	programs := s.loop(ctx, came, left)
	end()
	if l, ok := l.(interface{ Leave(context.Context) }); ok {
		leaving, done := context.WithTimeout(context.Background(), helloTime)
		l.Leave(leaving)
		done()
	}
	_ = l.Close()
	<-accepted
	early.Wait()
	for ; programs > 0; programs-- {
		<-left
	}
	if conn := s.Lender.connection(); conn != nil {
		_ = conn.Close()
	}
}

// enter takes a program in, or sends it to the next service.
func (s *Service) enter(ctx context.Context, conn net.Conn, came chan<- *guest) {
	g := hello(conn)
	if g == nil {
		return
	}
	if pid := processOf(conn); pid != 0 {
		g.Process = pid
	}
	select {
	case came <- g:
	case <-ctx.Done():
		_ = g.answer(welcome{Ending: true})
		_ = conn.Close()
	}
}

// loop serves programs, until the service ends. It returns how many there are then.
func (s *Service) loop(ctx context.Context, came <-chan *guest, left chan struct{}) (programs int) {
	rest := time.NewTimer(s.Spare)
	for {
		var idle <-chan time.Time
		var gone <-chan struct{}
		if programs == 0 {
			idle = rest.C
			if conn := s.Lender.connection(); conn != nil {
				gone = conn.Gone()
			}
		}
		select {
		case g := <-came:
			if programs == 0 && g.Build != s.Build {
				_ = g.answer(welcome{Ending: true})
				_ = g.conn.Close()
				return 0
			}
			programs++
			go func() {
				stop := context.AfterFunc(ctx, func() { _ = g.conn.Close() })
				s.Lender.serve(ctx, g)
				stop()
				left <- struct{}{}
			}()
		case <-left:
			if programs--; programs == 0 && s.Lender.connection() == nil {
				return 0
			}
			rest.Reset(s.Idle)
		case <-gone:
			return 0
		case <-idle:
			return 0
		case <-ctx.Done():
			return programs
		}
	}
}
