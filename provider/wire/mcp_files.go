package wire

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/provider"
	"pwpipe/provider/internal/rawjson"
)

// firstLinks is the first MCP revision in which a result may contain links to
// resources. Older clients refuse unknown content.
const firstLinks = "2025-06-18"

// noResource is the error code for a missing resource, in revisions with sessions.
const noResource = -32002

// readsAtOnce bounds the files that are read at once: each is in memory several times
// until it is sent.
var readsAtOnce = make(chan struct{}, 2)

// knowsLinks reports whether a client accepts links to resources.
func knowsLinks(req *mcp.CallToolRequest) bool {
	return req.ProtocolVersion() >= firstLinks && !isILO(req)
}

// listFiles answers resources/list: the files that tools wrote for the client, the newest
// last. The list is complete, so no cursor is valid.
func listFiles(ctx context.Context, t *provider.Table, o MCPOptions, req mcp.Request) (mcp.Result, error) {
	if p, ok := req.GetParams().(*mcp.ListResourcesParams); ok && p != nil && p.Cursor != "" {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "no such cursor: the list is whole"}
	}
	ctx, session := o.Client(ctx, req)
	r := &mcp.ListResourcesResult{Resources: []*mcp.Resource{}, Cacheable: mcp.Cacheable{CacheScope: "private"}}
	for _, f := range t.Options().Files.List(ctx, session) {
		r.Resources = append(r.Resources, &mcp.Resource{URI: f.URI, Name: f.Name, MIMEType: f.MIME, Size: f.Size})
	}
	return r, nil
}

// readResource is resources/read.
func readResource(ctx context.Context, t *provider.Table, o MCPOptions, req mcp.Request) (mcp.Result, error) {
	p, ok := req.GetParams().(*mcp.ReadResourceParams)
	if !ok || p == nil || p.URI == "" {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: `missing parameter "uri" (a string)`}
	}
	select {
	case readsAtOnce <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	own, _ := o.Client(ctx, req)
	f, text, bytes, err := t.ReadFile(own, p.URI)
	if err != nil {
		<-readsAtOnce
		return nil, unread(req, p.URI, provider.AsError(err))
	}
	c := &mcp.ResourceContents{URI: f.URI, MIMEType: f.MIME, Text: text}
	if text == "" {
		c.Blob = append([]byte{}, bytes...)
	}
	r := &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{c}, Cacheable: mcp.Cacheable{CacheScope: "private"}}
	// Nothing is encoded for a client that is gone.
	free := context.AfterFunc(ctx, func() { <-readsAtOnce })
	return &reading{r, isSingle(req), free}, nil
}

// unread is the protocol's error for a file that can't be read.
func unread(req mcp.Request, uri string, err *provider.Error) error {
	about := rawjson.Encode(map[string]string{"uri": uri})
	coded := &jsonrpc.Error{Code: int64(err.Kind.RPCCode()), Message: err.Error(), Data: about}
	if err.Kind == provider.KindNoTarget {
		coded.Code = noResource
		if isSingle(req) {
			coded.Code = jsonrpc.CodeInvalidParams
		}
	}
	return coded
}

// firstStateless is the first revision without sessions.
const firstStateless = "2026-07-28"

// isSingle reports whether a request is independent, as in those revisions.
func isSingle(req mcp.Request) bool {
	r, ok := req.(interface{ ProtocolVersion() string })
	return ok && r.ProtocolVersion() >= firstStateless
}

// reading is a result of resources/read. It counts against readsAtOnce until it is
// encoded.
type reading struct {
	*mcp.ReadResourceResult
	single bool // its type, which the SDK sets only on results of its own handlers
	done   func() bool
}

// MarshalJSON is the SDK's, with the result's type.
func (r *reading) MarshalJSON() ([]byte, error) {
	defer func() {
		if r.done() {
			<-readsAtOnce
		}
	}()
	raw, err := json.Marshal(r.ReadResourceResult)
	if err == nil && r.single {
		raw = slices.Replace(raw, 0, 1, []byte(`{"resultType":"complete",`)...)
	}
	return raw, err
}
