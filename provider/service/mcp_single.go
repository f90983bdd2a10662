package service

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/provider"
	"pwpipe/provider/internal/rawjson"
	"pwpipe/provider/wire"
)

// firstStateless is the first MCP revision without sessions: each request has the
// version, the capabilities and the name of its client.
const firstStateless = "2026-07-28"

// maxOwners bounds the remembered clients, since names are free to make up.
const maxOwners = 1024

// mcpOwners gives clients that name no session one that belongs to their key and name.
// Nothing else distinguishes such clients, so clients with the same key and name share
// it.
type mcpOwners struct {
	of provider.Sessions

	mu   sync.Mutex
	open map[string]*mcpOwner
}

// mcpOwner is the session of one key and name.
type mcpOwner struct {
	mcpSession
	used time.Time
}

// mcpSingle serves clients whose requests are independent.
func (s *server) mcpSingle(base func() context.Context) http.Handler {
	owners := &mcpOwners{of: s.sessions, open: map[string]*mcpOwner{}}
	call := func(ctx context.Context, req *mcp.CallToolRequest, r provider.Request) (provider.Result, error) {
		params, err := sessionNamed(s.Table.Find(r.Tool), r.Params)
		if err != nil {
			return provider.Result{}, s.Table.MaskError(provider.AsError(err))
		}
		r.Params = params
		owner, opened := ownerOf(req), ""
		result, err := s.mcpCall(ctx, base(), "mcp "+owner, mcpCaller(req, clientName(req)), r, func(ctx context.Context) (id string, err error) {
			if id = req.Extra.Header.Get("X-Session-Id"); id != "" {
				return id, nil
			}
			if s.OneSession {
				return s.shared.of(ctx, s.sessions).id(ctx)
			}
			id, fresh, err := owners.session(owner).use(ctx, s.sessions)
			if fresh {
				opened = id
			}
			return id, err
		})
		result.Opened = opened
		return result, err
	}
	clientOf := func(_ context.Context, req mcp.Request) (context.Context, string) {
		owner := ownerOf(req)
		session := req.GetExtra().Header.Get("X-Session-Id")
		if session == "" && !s.OneSession {
			session = owners.has(owner)
		}
		return provider.WithClient(base(), "mcp "+owner), session
	}
	server := wire.NewMCPServer(s.Table, wire.MCPOptions{Profile: s.Profile, Version: s.Version, Call: call, Client: clientOf, Stateless: true})
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{
		Stateless: true, PropagateRequestCancellation: true, MaxRequestBodyBytes: s.Door.MaxBody, DisableLocalhostProtection: true,
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if id := namedBy(r); id != "" { // the SDK shows calls the headers only
			r.Header.Set("X-Session-Id", id)
		}
		handler.ServeHTTP(w, r)
	})
}

// sessionNamed moves the session argument to where every request has it.
func sessionNamed(tool *provider.Tool, params json.RawMessage) (json.RawMessage, error) {
	if tool == nil || tool.Has(wire.SessionArg) || rawjson.TypeOf(params) != "an object" {
		return params, nil
	}
	o, err := rawjson.Split(params)
	if err != nil || o.Get(wire.SessionArg) == nil {
		return params, nil // the call reports invalid params
	}
	if o.Get("session_id") != nil {
		return nil, provider.Errorf(provider.KindArgs, "session and session_id name the same thing; give one of them")
	}
	for i := range o {
		if o[i].Key == wire.SessionArg {
			o[i].Key = "session_id"
		}
	}
	return rawjson.Join(o), nil
}

// ownerOf identifies the owner of a request by its key and its client's name. It is a
// hash: keys must not be stored, and names may be long.
func ownerOf(req mcp.Request) string {
	key := sha256.Sum256([]byte(keyOf(req.GetExtra().Header)))
	sum := sha256.Sum256(append(key[:], clientName(req)...))
	return hex.EncodeToString(sum[:])
}

// clientName is the name that an MCP client gives itself in this request, "" for none.
func clientName(req mcp.Request) string {
	if r, ok := req.(interface{ ClientInfo() *mcp.Implementation }); ok && r.ClientInfo() != nil {
		return r.ClientInfo().Name
	}
	return ""
}

// session is the owner's session. If there are too many owners, the least recently used
// is forgotten; its session ends by being idle.
func (m *mcpOwners) session(owner string) *mcpSession {
	m.mu.Lock()
	defer m.mu.Unlock()
	own := m.open[owner]
	if own == nil {
		if len(m.open) >= maxOwners {
			m.forget()
		}
		own = &mcpOwner{}
		m.open[owner] = own
	}
	own.used = time.Now()
	return &own.mcpSession
}

// none stands for an owner without a session. It is no session's id.
const none = "none"

// has is the owner's session, none if it has not been opened.
func (m *mcpOwners) has(owner string) string {
	m.mu.Lock()
	own := m.open[owner]
	m.mu.Unlock()
	if own == nil {
		return none
	}
	own.mu.Lock()
	defer own.mu.Unlock()
	return cmp.Or(own.id, none)
}

// forget removes the least recently used owner. The lock is held.
func (m *mcpOwners) forget() {
	oldest := slices.MinFunc(slices.Collect(maps.Keys(m.open)), func(a, b string) int {
		return m.open[a].used.Compare(m.open[b].used)
	})
	delete(m.open, oldest)
}
