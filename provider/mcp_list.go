package provider

import "encoding/json"

// slimTool is a tool of tools/list as a model pays for it: the name first, and
// no hint that only repeats the protocol's default.
type slimTool struct {
	Name        string          `json:"name"`
	Title       string          `json:"title,omitempty"`
	Description string          `json:"description,omitempty"`
	Input       json.RawMessage `json:"inputSchema"`
	Output      json.RawMessage `json:"outputSchema,omitempty"`
	Annotations slimHints       `json:"annotations"`
}

// slimHints leaves out what the protocol takes for false anyway.
type slimHints struct {
	ReadOnly    bool  `json:"readOnlyHint,omitempty"`
	Destructive *bool `json:"destructiveHint,omitempty"`
	OpenWorld   *bool `json:"openWorldHint,omitempty"`
}

// slimList rewrites a result of tools/list; one that it does not understand is
// left as it is.
func slimList(result json.RawMessage) json.RawMessage {
	members, err := splitObject(result)
	if err != nil {
		return result
	}
	for i, m := range members {
		if m.key != "tools" {
			continue
		}
		var tools []slimTool
		if err := json.Unmarshal(m.value, &tools); err != nil {
			return result
		}
		members[i].value = encode(tools)
	}
	return joinObject(members)
}
