//go:build unix

package playwrightmcp

// reasons say why tests fail, or are not tried.
var reasons = []reason{}
