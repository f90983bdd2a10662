package scripthost

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"sync"

	"pwpipe/internal/browser/bundle"
	"pwpipe/internal/machine/writefile"
)

//go:embed js/*.cjs
var sources embed.FS

// parts are those of what the process runs, in this order.
var parts = []string{"zones", "loader", "expect", "intrinsics", "wire", "files", "sockets", "browser", "drags", "patches", "film",
	"values", "patience", "compile", "scope", "helpers", "run"}

// entry is what Node runs.
var entry = sync.OnceValue(func() []byte {
	part := func(name string) []byte {
		code, err := sources.ReadFile("js/" + name + ".cjs")
		if err != nil {
			panic(err) // it is embedded
		}
		return code
	}
	all := [][]byte{part("start"), bundle.Source, bundle.Inject, bundle.Places}
	for _, name := range parts {
		all = append(all, part(name))
	}
	return bytes.Join(all, nil)
})

// writeEntry puts what Node runs, and its settings, into a folder. Written anew for
// every process, they can be neither stale nor half there.
func writeEntry(dir string, settings map[string]any) (program, file string, err error) {
	program = filepath.Join(dir, "scripts.cjs")
	if err := writefile.Bytes(program, entry(), writefile.Private); err != nil {
		return "", "", err
	}
	text, _ := json.Marshal(settings) // texts can always be encoded
	file = filepath.Join(dir, "scripts.json")
	return program, file, writefile.Bytes(file, text, writefile.Private)
}

// maxNesting bounds the brackets and operators of a source that esbuild reads:
// its stack grows with what is nested, and nothing stops it.
const maxNesting = 30_000

var errNested = errors.New("the source may be nested too deep")

// checkSource refuses a source that could be nested deeper than is good.
func checkSource(code string) error {
	n := 0
	for i := range len(code) {
		if strings.IndexByte("([{<`!~+-?=", code[i]) >= 0 {
			n++
		}
	}
	if n > maxNesting || len(code) > 4<<20 {
		return errNested
	}
	return nil
}
