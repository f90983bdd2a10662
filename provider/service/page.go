package service

import (
	"context"
	"embed"
	"html/template"
	"log/slog"
	"net/http"
	"path"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/go-chi/chi/v5"

	"pwpipe/provider"
)

// Page is the page at / for people who watch. It is a part of the service; --watch
// serves it alone.
type Page struct {
	Door Door
	// Watch serves one viewer until ctx ends or the viewer is gone.
	Watch func(ctx context.Context, v provider.Viewer)
	// Once is a one-time key, "" for none.
	Once string
	// Keyless admits everybody for whom the door requires no key, to see the sessions
	// whose ids they know.
	Keyless bool
	Log     *slog.Logger

	base    context.Context
	sockets *sync.WaitGroup
	tickets tickets
	guesses *guesses // the service's, nil for a new one
	loads   limiter
	looking atomic.Int32 // number of viewers
}

//go:embed page
var files embed.FS

var login = template.Must(template.ParseFS(files, "page/login.html"))

// policy is the page's CSP: only our own origin, and no inline script or style.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src blob:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// begin prepares the page. base ends its connections, which are counted.
func (p *Page) begin(base context.Context, sockets *sync.WaitGroup) {
	p.base, p.sockets = base, sockets
	p.loads, p.tickets.once = newLimiter(p.Door.RatePerMinute), p.Once
	if p.guesses == nil {
		p.guesses = newGuesses()
	}
	if p.Log == nil {
		p.Log = slog.New(slog.DiscardHandler)
	}
}

// Handler serves the page alone. base ends its connections.
func (p *Page) Handler(base context.Context) http.Handler {
	p.begin(base, &sync.WaitGroup{})
	r := chi.NewRouter()
	r.Use(sealed)
	r.NotFound(func(w http.ResponseWriter, r *http.Request) { writeError(w, errNothing(r.URL.Path)) })
	r.Group(p.routes)
	return r
}

// routes are the page's routes. Every change goes over the socket, except logging in
// and out.
func (p *Page) routes(r chi.Router) {
	r.Use(p.Door.origin, p.loads.middleware, paged)
	r.Get("/", p.home)
	r.Get("/watch/login", func(w http.ResponseWriter, _ *http.Request) { p.askKey(w, http.StatusOK, asked{}) })
	r.Post("/watch/login", p.login)
	r.Post("/watch/logout", p.logout)
	r.Get("/watch/socket", p.socket)
	r.Get("/watch/{file}", p.file)
}

// paged sets the page's headers for browsers.
func paged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "same-origin") // with none, browsers say of our own forms that they come from "null"
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
		next.ServeHTTP(w, r)
	})
}

// home is GET /: the page after the log-in, else the log-in.
func (p *Page) home(w http.ResponseWriter, r *http.Request) {
	if _, ok := p.lets(r); !ok {
		p.askKey(w, http.StatusUnauthorized, asked{})
		return
	}
	p.write(w, "index.html")
}

// asked are the values of the log-in page.
type asked struct {
	Wrong bool // the last key was wrong
	Wait  int  // seconds until another is checked
}

// askKey shows the log-in page, also after a wrong key.
func (p *Page) askKey(w http.ResponseWriter, status int, a asked) {
	w.Header().Set("Content-Type", types[".html"])
	w.WriteHeader(status)
	if err := login.Execute(w, a); err != nil {
		p.Log.Error("the login page", "error", err)
	}
}

// types are the content types of the page's files.
var types = map[string]string{".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}

// file is a style or a script. They are the same for everybody, so they need no key.
func (p *Page) file(w http.ResponseWriter, r *http.Request) {
	name := chi.URLParam(r, "file")
	if ext := path.Ext(name); ext == ".html" || types[ext] == "" || strings.ContainsAny(name, `/\`) {
		writeError(w, errNothing(r.URL.Path))
		return
	}
	p.write(w, name)
}

func (p *Page) write(w http.ResponseWriter, name string) {
	text, err := files.ReadFile("page/" + name)
	if err != nil {
		writeError(w, provider.Errorf(provider.KindUnknown, "nothing is served at /watch/%s", clipPath(name)))
		return
	}
	w.Header().Set("Content-Type", types[path.Ext(name)])
	_, _ = w.Write(text)
}
