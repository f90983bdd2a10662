package provider

// Viewer is a person who watches, over a connection that a surface accepted.
type Viewer interface {
	// Heard waits for the person's next message, a JSON object. Its error is the end of
	// the connection.
	Heard() ([]byte, error)
	// Show sends a message that encodes to a JSON object, with its bytes, nil for none.
	// It blocks while the connection is slow.
	Show(message any, bytes []byte) error
	// All reports whether the person may see every session, like an operator. Otherwise
	// they see only the sessions whose ids they know.
	All() bool
}
