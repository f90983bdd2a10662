package service

import (
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// callerHeader carries the caller of a request to code that sees only headers. A
// client's own header of that name is replaced.
const callerHeader = "X-Pwpipe-Caller"

// callerOf describes the sender of a request for people: the address, and the program's
// own name. It contains no key.
func callerOf(r *http.Request) string {
	program, _, _ := strings.Cut(r.UserAgent(), " ")
	return callerWords(remoteIP(r), program)
}

// mcpCaller describes an MCP client. The client's own name is more useful than its
// library's.
func mcpCaller(req *mcp.CallToolRequest, name string) string {
	caller := req.Extra.Header.Get(callerHeader)
	if name == "" {
		return caller
	}
	address, _, _ := strings.Cut(caller, ", ")
	return callerWords(address, name)
}

func callerWords(address, program string) string {
	if program == "" {
		return address
	}
	return address + ", " + program
}
