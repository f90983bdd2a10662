package provider

// Viewer is a person who looks at what runs, over a connection that a surface
// let in.
type Viewer interface {
	// Heard waits for what the person does next, a JSON object. Its error is the
	// end of the connection.
	Heard() ([]byte, error)
	// Show sends a message that can be encoded to a JSON object, and with it the
	// bytes that it is about, nil for none. It blocks while the connection is slow.
	Show(message any, bytes []byte) error
	// All reports whether the person may see every session, as who runs the
	// service may; else only those whose ids they know.
	All() bool
}
