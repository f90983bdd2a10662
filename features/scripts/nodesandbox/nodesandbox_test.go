package nodesandbox_test

import (
	"bytes"
	"os/exec"
	"testing"

	"pwpipe/features/scripts/nodesandbox"
)

// node is the machine's Node.
func node(t testing.TB) string {
	t.Helper()
	path, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no Node here")
	}
	return path
}

// TestRuns: a cell runs Node in its scratch folder.
func TestRuns(t *testing.T) {
	var said bytes.Buffer
	dir := t.TempDir()
	c, err := nodesandbox.Start(nodesandbox.Options{Node: node(t), Args: []string{"-e", "console.log(process.cwd())"}, Scratch: dir, Stderr: &said})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil || said.String() != dir+"\n" {
		t.Errorf("said %q, %v", said.String(), err)
	}
}
