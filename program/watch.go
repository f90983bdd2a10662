package program

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"pwpipe/handlers"
	"pwpipe/handlers/watch"
	"pwpipe/provider/service"
)

// watched is what people see of the house. own is a stream's session, nil for none.
func (h *house) watched(own *handlers.Session) *watch.Hub {
	hub := &watch.Hub{Pool: h.pool, Own: own, Table: h.table}
	h.table.OnCall(hub.Saw)
	return hub
}

// watchURL is the page's address with a key, which is behind the # so that no server
// and no log gets to see it.
func watchURL(l net.Listener, key string) string {
	return "http://" + l.Addr().String() + "/#key=" + key
}

// watchService gives a service its page, and logs its address with a key where one
// is asked for. base is where people reach it.
func (h *house) watchService(ctx context.Context, s *service.Service, l net.Listener, base string, asked bool) context.Context {
	hub := h.watched(nil)
	s.Watch, hub.Address = hub.Watch, base
	if asked {
		s.Once = rand.Text()
		h.log.Info("watch", "url", watchURL(l, s.Once))
	}
	return watch.WithHub(ctx, hub)
}

// watchPipe serves the page on a port of loopback, over what this process does, and
// prints its address.
func (h *house) watchPipe(ctx context.Context, own *handlers.Session) (watched context.Context, end func(), err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, fmt.Errorf("--watch: can't listen: %w", err)
	}
	hub := h.watched(own)
	hub.Address = "http://" + l.Addr().String()
	ctx, stop := context.WithCancel(watch.WithHub(ctx, hub))
	page, web := servePage(ctx, hub, l)
	fmt.Fprintln(os.Stderr, "watch:", watchURL(l, page.NewKey()))
	return ctx, func() { stop(); _ = web.Close() }, nil
}

// servePage serves the page on a listener, to those who have a key of it.
func servePage(ctx context.Context, hub *watch.Hub, l net.Listener) (page *service.Page, web *http.Server) {
	page = &service.Page{Door: service.Door{Loopback: true}, Watch: hub.Watch}
	web = &http.Server{Handler: page.Handler(ctx), ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout: 30 * time.Second, MaxHeaderBytes: 64 << 10}
	go func() { _ = web.Serve(l) }()
	return page, web
}

// showPages lets shell commands have the page: on one port, each time with a key of its own.
func (h *house) showPages(ctx context.Context) (watched context.Context, show func() (url string, err error)) {
	hub := h.watched(nil)
	watched = watch.WithHub(ctx, hub)
	var mu sync.Mutex
	var l net.Listener
	var page *service.Page
	return watched, func() (string, error) {
		mu.Lock()
		defer mu.Unlock()
		if l == nil {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				return "", err
			}
			l = listener
			page, _ = servePage(watched, hub, l)
		}
		return watchURL(l, page.NewKey()), nil
	}
}
