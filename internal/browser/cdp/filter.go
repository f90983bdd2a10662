package cdp

// TargetFilter says which targets are listed, by their types: the first entry that fits a target
// decides. It is Target.TargetFilter of the protocol.
type TargetFilter []TargetFilterEntry

// TargetFilterEntry is Target.FilterEntry of the protocol.
type TargetFilterEntry struct {
	Type    string `json:"type,omitempty"` // "" for all
	Exclude bool   `json:"exclude,omitempty"`
}

// UsualTargets is Chromium's default.
var UsualTargets = TargetFilter{{Type: "browser", Exclude: true}, {Type: "tab", Exclude: true}, {}}

// Passes reports whether targets of a type are listed.
func (f TargetFilter) Passes(kind string) bool {
	for _, entry := range f {
		if entry.Type == "" || entry.Type == kind {
			return !entry.Exclude
		}
	}
	return false
}
