package lend

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"sync"
	"time"

	"pwpipe/internal/browser/cdp"
)

// Client is how a program borrows.
type Client struct {
	// Connect connects to the process that has the connection to the browser.
	Connect func(context.Context) (io.ReadWriteCloser, error)
	// OwnWindow has each page that an agent opens in a window of its own.
	OwnWindow bool
	// Lent are texts: a tab that has one in its address or its title is lent to the first
	// agent that comes while nobody has it.
	Lent []string
	// Build tells this program from other versions of it.
	Build string

	mu     sync.Mutex
	agents []*cdp.Session
}

// Inside connects to a lender in this process.
func Inside(l *Lender) func(context.Context) (io.ReadWriteCloser, error) {
	return func(context.Context) (io.ReadWriteCloser, error) {
		near, far := net.Pipe()
		go func() {
			if g := hello(near); g != nil {
				l.serve(context.Background(), g)
			}
		}()
		return far, nil
	}
}

// errEnding: the process is about to end, so that another one will answer.
var errEnding = errors.New("the pwpipe that has the connection ends")

// endingTime is between two attempts to find the next process.
const endingTime = 20 * time.Millisecond

// Borrow returns a connection for one agent. When it is closed, the tabs that the agent
// opened are closed, and the others are left as they are. lent is called when there is an
// agent that works with it: from then on tabs are lent to it. It returns how many are.
func (c *Client) Borrow(ctx context.Context) (conn *cdp.Conn, lent func() int, err error) {
	for conn, err = c.borrow(ctx); errors.Is(err, errEnding); conn, err = c.borrow(ctx) {
		select {
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		case <-time.After(endingTime):
		}
	}
	if err != nil {
		return nil, nil, err
	}
	root, err := conn.Browser(ctx)
	if err != nil {
		_ = conn.Close()
		return nil, nil, err
	}
	c.mu.Lock()
	c.agents = append(c.agents, root)
	c.mu.Unlock()
	return conn, func() (n int) {
		ask(root, lendNow, nil, &n)
		return n
	}, nil
}

func (c *Client) borrow(ctx context.Context) (*cdp.Conn, error) {
	conn, err := c.Connect(ctx)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	w := welcome{}
	_, err = conn.Write(append(encoded(wants{c.Lent, c.OwnWindow, c.Build, os.Getpid()}), 0))
	if err == nil {
		err = readWelcome(conn, &w)
	}
	if !stop() && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err = cmp.Or(err, w.err()); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return cdp.New(conn, conn), nil
}

// readWelcome reads no byte of what comes after it.
func readWelcome(conn io.Reader, w *welcome) error {
	var text []byte
	for one := make([]byte, 1); len(text) < 64<<10; {
		if _, err := io.ReadFull(conn, one); err != nil {
			return fmt.Errorf("the pwpipe that has the connection ended: %w", err)
		}
		if one[0] == 0 {
			return json.Unmarshal(text, w)
		}
		text = append(text, one[0])
	}
	return errors.New("the pwpipe that has the connection answered nonsense")
}

// askTime bounds an answer of the process that has the connection.
const askTime = 5 * time.Second

func ask(agent *cdp.Session, method string, params, into any) {
	ctx, cancel := context.WithTimeout(context.Background(), askTime)
	defer cancel()
	_ = agent.Call(ctx, method, params, into)
}

// IsLent reports whether an agent of this program has a tab that the person lent.
func (c *Client) IsLent(tab string) (is bool) {
	c.mu.Lock()
	c.agents = slices.DeleteFunc(c.agents, (*cdp.Session).Ended)
	var one *cdp.Session // any of them knows
	if len(c.agents) > 0 {
		one = c.agents[0]
	}
	c.mu.Unlock()
	if one != nil {
		ask(one, asksFor, targetParams{tab}, &is)
	}
	return is
}
