package scripthost

import (
	"path/filepath"
	"slices"
)

// mostWritten bounds the files of one run that are told of.
const mostWritten = 20

// noteWritten notes which file the code that runs has written, the newest last.
func (r *Runtime) noteWritten(c fileCall) {
	path := c.Path
	switch c.Op {
	case "write", "overwrite", "append", "create":
	case "rename":
		path = c.To
	default:
		return
	}
	folder, name, err := r.host.within(path)
	if err != nil {
		return
	}
	defer folder.Close()
	path = filepath.Join(folder.Name(), name)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.run == nil {
		return
	}
	list := slices.DeleteFunc(r.run.wrote, func(p string) bool { return p == path })
	r.run.wrote = append(list[max(0, len(list)-mostWritten+1):], path)
}
