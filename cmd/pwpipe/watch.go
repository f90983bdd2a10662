package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"net/http"
	"os"
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
	key, web := servePage(ctx, hub, l)
	fmt.Fprintln(os.Stderr, "watch:", watchURL(l, key))
	return ctx, func() { stop(); _ = web.Close() }, nil
}

// servePage serves the page on a listener. The key is good once.
func servePage(ctx context.Context, hub *watch.Hub, l net.Listener) (key string, web *http.Server) {
	page := &service.Page{Door: service.Door{Loopback: true}, Watch: hub.Watch, Once: rand.Text()}
	key = page.Once
	web = &http.Server{Handler: page.Handler(ctx), ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout: 30 * time.Second, MaxHeaderBytes: 64 << 10}
	go func() { _ = web.Serve(l) }()
	return key, web
}

// showPages lets shell commands have the page: each time on a port and with a key of its own.
func (h *house) showPages(ctx context.Context) (watched context.Context, show func() (url string, err error)) {
	hub := h.watched(nil)
	watched = watch.WithHub(ctx, hub)
	return watched, func() (string, error) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return "", err
		}
		key, _ := servePage(watched, hub, l)
		return watchURL(l, key), nil
	}
}
