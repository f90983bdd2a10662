package commandline

import (
	"encoding/json"
	"path/filepath"
	"slices"

	"pwpipe/provider"
	"pwpipe/provider/internal/rawjson"
)

// Under is a request whose relative names of files are taken from dir.
func Under(tool *provider.Tool, r provider.Request, dir string) (provider.Request, error) {
	if !slices.ContainsFunc(tool.Params, func(p provider.Param) bool { return p.File }) {
		return r, nil
	}
	r, err := tool.ByName(r)
	if err != nil {
		return r, err
	}
	members := r.Members()
	for _, p := range tool.Params {
		for i, m := range members {
			if p.File && m.Key == p.Name {
				members[i].Value = under(dir, m.Value)
			}
		}
	}
	made := provider.Named(r.Tool, members)
	made.Session = r.Session
	return made, nil
}

// under makes the relative names of files absolute.
func under(dir string, raw json.RawMessage) json.RawMessage {
	if list, err := rawjson.SplitArray(raw); err == nil && rawjson.TypeOf(raw) == "an array" {
		for i := range list {
			list[i] = under(dir, list[i])
		}
		return rawjson.Encode(list)
	}
	path, ok := rawjson.Text(raw)
	if !ok || path == "" || filepath.IsAbs(path) {
		return raw
	}
	return rawjson.Encode(dir + string(filepath.Separator) + path) // not Join: ".." after a link is the link's business
}
