package watch

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"pwpipe/cmd/program"
	"pwpipe/handlers"
	"pwpipe/provider/service"
)

// flags ask for the address of the page that shows what runs.
type flags struct {
	command string
	asked   bool
}

func newFlags(command string) program.Flags { return &flags{command: command} }

// Register adds --watch where it has a meaning.
func (o *flags) Register(f *pflag.FlagSet, _ *handlers.Config) {
	switch o.command {
	case program.OfPipe:
		f.BoolVar(&o.asked, "watch", false, "print an address, with a key that is good once, "+
			"where a person can watch what runs and take it over")
	case program.OfServe:
		f.BoolVar(&o.asked, "watch", false, "log the address of a page that shows every session to people; "+
			"the key in it works once")
	}
}

// Into does nothing: the browser is the same.
func (*flags) Into(*program.Setup) error { return nil }

// watched is what people see. own is a stream's session, nil for none.
func watched(r *program.Running, own *handlers.Session) *Hub {
	hub := &Hub{Pool: r.Pool, Own: own, Table: r.Table}
	r.Table.OnCall(hub.Saw)
	return hub
}

// watchURL is the page's address with a key, which is behind the # so that no server
// and no log gets to see it.
func watchURL(l net.Listener, key string) string {
	return "http://" + l.Addr().String() + "/#key=" + key
}

// Service gives a service its page, and logs its address with a key where one
// is asked for. base is where people reach it.
func (o *flags) Service(
	ctx context.Context, r *program.Running, s *service.Service, l net.Listener, base string,
) context.Context {
	if o.command != program.OfServe { // Playwright MCP's clients have the root
		return ctx
	}
	hub := watched(r, nil)
	s.Watch, hub.Address = hub.Watch, base
	if o.asked {
		s.Once = rand.Text()
		r.Log.Info("watch", "url", watchURL(l, s.Once))
	}
	return WithHub(ctx, hub)
}

// Pipe serves the page on a port of loopback, over what this process does, and
// prints its address, if it is asked for.
func (o *flags) Pipe(
	ctx context.Context, r *program.Running, own *handlers.Session,
) (_ context.Context, end func(), err error) {
	if !o.asked {
		return ctx, func() {}, nil
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, fmt.Errorf("--watch: can't listen: %w", err)
	}
	hub := watched(r, own)
	hub.Address = "http://" + l.Addr().String()
	ctx, stop := context.WithCancel(WithHub(ctx, hub))
	page, web := servePage(ctx, hub, l)
	fmt.Fprintln(os.Stderr, "watch:", watchURL(l, page.NewKey()))
	return ctx, func() { stop(); _ = web.Close() }, nil
}

// servePage serves the page on a listener, to those who have a key of it.
func servePage(ctx context.Context, hub *Hub, l net.Listener) (page *service.Page, web *http.Server) {
	page = &service.Page{Door: service.Door{Loopback: true}, Watch: hub.Watch}
	web = &http.Server{Handler: page.Handler(ctx), ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout: 30 * time.Second, MaxHeaderBytes: 64 << 10}
	go func() { _ = web.Serve(l) }()
	return page, web
}

// Shell lets shell commands have the page: on one port, each time with a key of its own.
func (*flags) Shell(ctx context.Context, r *program.Running, s *service.Shell) context.Context {
	hub := watched(r, nil)
	seen := WithHub(ctx, hub)
	var mu sync.Mutex
	var l net.Listener
	var page *service.Page
	s.Show = func() (string, error) {
		mu.Lock()
		defer mu.Unlock()
		if l == nil {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				return "", err
			}
			l = listener
			page, _ = servePage(seen, hub, l)
		}
		return watchURL(l, page.NewKey()), nil
	}
	return seen
}
