// Package wire serves tools on a pair of streams, a line a message: requests in, replies out, in
// order, and in three dialects. Package service serves the same tools over HTTP.
//
// # The plain dialect
//
// A request is one line of JSON:
//
//	{"id":1,"method":"nav","params":{"url":"https://example.com"}}
//
// id is any JSON value and is echoed byte for byte (absent: null). params is
// an object by name, an array by position, or absent. page (a handle such as
// "p2") and timeout (seconds) may stand beside or among the params of every
// tool. The reply is one line, id first:
//
//	{"id":1,"result":null}
//	{"id":1,"error":"click: nothing matches \"#go\" after 10 s on p1 (https://example.com/)"}
//
// Every line that is not blank gets exactly one reply. An array of requests
// is a batch: run in order and answered by one array. Keys match exactly; a
// key that stands twice in an object is an error.
//
// # JSON-RPC 2.0 and MCP
//
// A line with a "jsonrpc" member is answered as JSON-RPC 2.0, with error
// objects, notifications and batches. The methods of the Model Context
// Protocol (initialize, ping, tools/list, tools/call, ...) go to the official
// Go SDK; every other method is the name of a tool. No mode switch is needed:
// each line shows its protocol.
//
// # Order
//
// Requests that name no page run one after the other. Requests that name a
// page run on that page's lane, in parallel with other pages. Neighbouring
// requests of a lane that only read may overlap; replies of a lane leave in
// the order of its requests. See [Lanes].
package wire
