package suggest

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed peers.txt
var peerTable string

// Peer is what a name of another program is here.
type Peer struct {
	Ours []string // tools; of a flag, flags
	Why  string   // where there are none, or not of this command: why, and what to do instead
}

// peers maps the folded names of other programs to ours. It is read when the first
// unknown name comes.
var peers = sync.OnceValue(func() map[string]Peer {
	table := map[string]Peer{}
	for _, line := range strings.Split(peerTable, "\n") {
		name, ours, ok := strings.Cut(line, ": ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		p := Peer{}
		ours, p.Why, _ = strings.Cut(" "+ours, " - ")
		if ours != "" {
			p.Ours = strings.Split(strings.TrimSpace(ours), ", ")
		}
		table[peerKey(name)] = p
	}
	return table
})

// peerKey keeps flags and tools apart.
func peerKey(name string) string {
	if strings.HasPrefix(name, "--") {
		return "--" + fold(name)
	}
	return fold(name)
}

// Of is what another program's name is here: of a tool, or of a flag with its dashes.
// It is nothing where no program in the table has that name.
func Of(name string) Peer {
	if p, ok := peers()[peerKey(name)]; ok {
		return p
	}
	if flag, ok := strings.CutPrefix(name, "--no-"); ok {
		return peers()[peerKey("--"+flag)]
	}
	if command, ok := strings.CutPrefix(name, "agent_browser_"); ok { // as MCP lists its commands
		if p, ok := peers()[peerKey(command)]; ok {
			return p
		}
		return Peer{Ours: []string{strings.ReplaceAll(command, "_", "-")}}
	}
	return Peer{}
}

// PeerNames maps every name of the table to ours, for the test that ours exist. Flags
// have their dashes.
func PeerNames() map[string]Peer { return peers() }
