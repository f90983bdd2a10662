//go:build evidence

package miniwob

import "maps"

// policies do the tasks.
var policies = func() map[string]policy {
	all := map[string]policy{}
	for _, kind := range []map[string]policy{clicks, fields, drags, larger, drawings} {
		maps.Copy(all, kind)
	}
	return all
}()
