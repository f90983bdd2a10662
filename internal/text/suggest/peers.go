package suggest

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed peers.txt
var peerTable string

// peers maps the folded names of other programs to ours. It is read when the first
// unknown name comes.
var peers = sync.OnceValue(func() map[string][]string {
	table := map[string][]string{}
	for _, line := range strings.Split(peerTable, "\n") {
		name, tools, ok := strings.Cut(line, ":")
		if ok && !strings.HasPrefix(line, "#") {
			table[fold(name)] = strings.Split(strings.TrimSpace(tools), ", ")
		}
	}
	return table
})

// Ours names the tools that do what another program calls name; nil where no program
// in the table has that name.
func Ours(name string) []string { return peers()[fold(name)] }

// PeerNames maps every name of the table to ours, for the test that ours exist.
func PeerNames() map[string][]string { return peers() }
