package service

import (
	"context"
	"crypto/rand"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/internal/text/routedid"
	"pwpipe/provider"
	"pwpipe/provider/wire"
)

// mcpIdle is how long an MCP session may be idle. It costs little; its browser context
// is closed much sooner.
const mcpIdle = time.Hour

// mcpSessions gives each MCP session a session of the service, opened at its first tool
// call: a client that only reads the list takes no context.
type mcpSessions struct {
	of   provider.Sessions
	base func() context.Context // of its calls

	mu   sync.Mutex
	open map[*mcp.ServerSession]*mcpSession
}

// mcpSession is the state of one MCP session.
type mcpSession struct {
	name string // of the MCP session, in this process
	mu   sync.Mutex
	id   string // of the session, "" before the first call
}

// mcpRoutes are /mcp, the SDK's streamable HTTP, and /sse, which older clients use.
func (s *server) mcpRoutes(r chi.Router) {
	teams := &mcpTeams{server: s, of: map[string]*mcpTeam{}}
	handler := s.untilStopped(teams.handler(func(t *mcpTeam) http.Handler { return t.streams }))
	r.Handle("/mcp", handler)
	if s.Older {
		r.Handle("/", greeting(handler))
	}
	older := func(does func(*olderMCP) http.HandlerFunc) http.Handler {
		return s.untilStopped(teams.handler(func(t *mcpTeam) http.Handler { return does(t.older) }))
	}
	r.Method(http.MethodGet, "/sse", older(func(o *olderMCP) http.HandlerFunc { return o.stream }))
	r.Method(http.MethodPost, "/sse", older(func(o *olderMCP) http.HandlerFunc { return o.message }))
}

// mcpTeams gives each team MCP servers of its own: there are no ids of other teams' sessions
// in them. Without teams there is one, of the name "".
type mcpTeams struct {
	server *server
	mu     sync.Mutex
	of     map[string]*mcpTeam
}

// mcpTeam serves one team.
type mcpTeam struct {
	streams http.Handler
	older   *olderMCP
}

func (t *mcpTeams) handler(does func(*mcpTeam) http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		does(t.team(provider.TeamFrom(r.Context()).Name)).ServeHTTP(w, r)
	})
}

func (t *mcpTeams) team(name string) *mcpTeam {
	t.mu.Lock()
	defer t.mu.Unlock()
	own := t.of[name]
	if own == nil {
		s := t.server
		base := func() context.Context { return s.teamContext(name) }
		server := s.mcpLasting(base)
		its := func(*http.Request) *mcp.Server { return server }
		lasting := mcp.NewStreamableHTTPHandler(its, &mcp.StreamableHTTPOptions{
			SessionTimeout: mcpIdle, MaxRequestBodyBytes: s.Door.MaxBody, DisableLocalhostProtection: true,
		})
		own = &mcpTeam{streams: s.mcpHandler(lasting, s.mcpSingle(base)),
			older: &olderMCP{server: server, maxBody: s.Door.MaxBody, open: map[string]*olderStream{}}}
		t.of[name] = own
	}
	return own
}

// teamContext is the context of a team's calls, as the file of keys has it now.
func (s *server) teamContext(name string) context.Context {
	if s.Door.Keys == nil {
		return s.base
	}
	own := provider.Team{Name: name}
	if t := s.Door.Keys.named(name); t != nil {
		own = t.Team
	} else if name != "" { // its keys are gone: what is open may be closed, and nothing opened
		own.Hosts = []string{}
	}
	return provider.WithTeam(s.base, own)
}

// greeting answers who asks for the root without speaking MCP, as health checks of containers do.
func greeting(mcpClients http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet && r.Header.Get("Mcp-Session-Id") == "" &&
			!strings.Contains(r.Header.Get("Accept"), "text/event-stream") {
			_, _ = io.WriteString(w, "MCP is served at /mcp\n")
			return
		}
		mcpClients.ServeHTTP(w, r)
	})
}

// mcpHandler serves clients of the revisions with sessions, and clients of later
// revisions, whose requests are independent. The door has checked Host and Origin.
func (s *server) mcpHandler(lasting, single http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Protocol-Version") >= firstStateless {
			single.ServeHTTP(w, r)
			return
		}
		lasting.ServeHTTP(w, r)
	})
}

// untilStopped ends requests with the service: an event stream has no deadline.
func (s *server) untilStopped(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		defer context.AfterFunc(s.base, cancel)()
		r.Header.Set(callerHeader, callerOf(r)) // the SDK shows only the headers to calls
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// mcpLasting serves clients that begin with initialize.
func (s *server) mcpLasting(base func() context.Context) *mcp.Server {
	sessions := &mcpSessions{of: s.sessions, base: base, open: map[*mcp.ServerSession]*mcpSession{}}
	call := func(ctx context.Context, req *mcp.CallToolRequest, r provider.Request) (provider.Result, error) {
		mode := func(ctx context.Context) (string, error) {
			id, _, err := sessions.own(req.Session).use(ctx, s.sessions)
			return id, err
		}
		if s.OneSession {
			mode = s.shared.of(base(), s.sessions).id
		}
		name := ""
		if hello := req.Session.InitializeParams(); hello != nil && hello.ClientInfo != nil {
			name = hello.ClientInfo.Name
		}
		return s.mcpCall(ctx, base(), sessions.client(req.Session), mcpCaller(req, name), r, mode)
	}
	clientOf := func(_ context.Context, req mcp.Request) (context.Context, string) {
		key := "mcp "
		if ss, ok := req.GetSession().(*mcp.ServerSession); ok {
			key = sessions.client(ss)
		}
		return provider.WithClient(base(), key), ""
	}
	o := wire.MCPOptions{Profile: s.Profile, Version: s.Version, Call: call, Client: clientOf}
	if s.Name != "" {
		o.SessionID = func() string { return routedid.New("m", s.Name) }
	}
	return wire.NewMCPServer(s.Table, o)
}

// mcpCall runs a call of the MCP client with that key, which caller describes for people.
func (s *server) mcpCall(
	ctx, base context.Context, key, caller string, r provider.Request, mode sessionMode,
) (provider.Result, error) {
	// The SDK's context has none of our values, and ours does not end when the SDK
	// cancels.
	own, cancel := context.WithCancel(provider.Carry(
		provider.WithCaller(provider.WithClient(base, key), caller), ctx))
	defer cancel()
	defer context.AfterFunc(ctx, cancel)()
	return s.call(own, &provider.Message{Request: r}, mode)
}

// own is the state of an MCP session.
func (m *mcpSessions) own(ss *mcp.ServerSession) *mcpSession {
	m.mu.Lock()
	defer m.mu.Unlock()
	own := m.open[ss]
	if own == nil {
		own = &mcpSession{name: rand.Text()}
		m.open[ss] = own
		go m.end(ss, own)
	}
	return own
}

// client is the key of an MCP session's client. On the older transport sessions have no id.
func (m *mcpSessions) client(ss *mcp.ServerSession) string {
	if id := ss.ID(); id != "" {
		return "mcp " + id
	}
	return "mcp " + m.own(ss).name
}

// use is the session, opened when it is first needed.
func (own *mcpSession) use(ctx context.Context, of provider.Sessions) (id string, opened bool, err error) {
	own.mu.Lock()
	defer own.mu.Unlock()
	if own.id != "" {
		if err := alive(ctx, of, own.id); err != nil {
			// A client that had a page must learn that it is gone, and not get an empty
			// one.
			own.id = ""
			return "", false, provider.Errorf(provider.KindNoTarget, "this session's browser context is gone: %w", err).
				WithHint("call again to start with a fresh one")
		}
		return own.id, false, nil
	}
	own.id, err = of.Create(ctx)
	return own.id, err == nil, err
}

// end closes the session of an MCP session that ends.
func (m *mcpSessions) end(ss *mcp.ServerSession, own *mcpSession) {
	_ = ss.Wait()
	m.mu.Lock()
	delete(m.open, ss)
	m.mu.Unlock()
	own.mu.Lock()
	defer own.mu.Unlock()
	if own.id != "" {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(m.base()), 10*time.Second)
		defer cancel()
		_ = m.of.Close(ctx, own.id)
	}
}
