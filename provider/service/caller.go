package service

import (
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// callerHeader takes the caller of a request to where only its headers are seen. What
// a client sends by this name is replaced.
const callerHeader = "X-Pwpipe-Caller"

// callerOf is who sends a request, for people: the address, and the program by its
// own word. No key is in it.
func callerOf(r *http.Request) string {
	program, _, _ := strings.Cut(r.UserAgent(), " ")
	return callerWords(remoteIP(r), program)
}

// mcpCaller is who calls over MCP. What the client calls itself says more than what
// its library does.
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
