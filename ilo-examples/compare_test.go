package iloexamples

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// TestCypressParses: the Cypress code is only parsed by node, since this
// project does not set up Cypress.
func TestCypressParses(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("needs node")
	}
	files, _ := filepath.Glob("compare/*.cy.js")
	if len(files) == 0 {
		t.Fatal("no Cypress code")
	}
	for _, file := range files {
		if out, err := exec.Command(node, "--check", file).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", file, err, out)
		}
	}
}
