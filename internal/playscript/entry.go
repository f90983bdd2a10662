package playscript

import (
	"bytes"
	"embed"
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
)

//go:embed js/*.cjs
var sources embed.FS

// first are the parts of what the process runs that are at work before there is
// anything of the process's own, in this order, and parts the others; last begins.
var (
	first = []string{"start", "loader", "zones", "expect"}
	parts = []string{"intrinsics", "wire", "files", "sockets", "browser", "patches", "film", "values", "patience", "compile", "scope", "helpers", "run"}
	last  = []string{"image"}
)

// settings are what the process has to know.
type settings struct {
	Scratch   string            `json:"scratch"`
	Core      string            `json:"core"`
	Test      string            `json:"test"`
	Packages  []string          `json:"packages"`
	Cwd       string            `json:"cwd"`
	Tmp       string            `json:"tmp"`
	Downloads string            `json:"downloads"`
	Engines   map[string]string `json:"engines"`
	Builtins  json.RawMessage   `json:"builtins,omitempty"` // what Node's modules have, where an image is made
	Check     bool              `json:"check"`              // only begin
}

// entry is what Node runs.
var entry = sync.OnceValue(func() []byte {
	var b bytes.Buffer
	put := func(names []string) {
		for _, name := range names {
			code, err := sources.ReadFile("js/" + name + ".cjs")
			if err != nil {
				panic(err) // it is embedded
			}
			b.Write(code)
		}
	}
	put(first)
	b.WriteString("function begin() {\n")
	put(parts)
	b.WriteString("}\n")
	put(last)
	return b.Bytes()
})

// writeEntry puts what Node runs, and its settings, into a folder. Written anew for
// every process, they can be neither stale nor half there.
func writeEntry(dir string, s settings) (program, file string, err error) {
	program = filepath.Join(dir, "scripts.cjs")
	if err := os.WriteFile(program, entry(), 0o600); err != nil {
		return "", "", err
	}
	file, err = writeSettings(dir, s)
	return program, file, err
}

const settingsFile = "scripts.json"

func writeSettings(dir string, s settings) (string, error) {
	text, err := json.Marshal(s)
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, settingsFile)
	return file, os.WriteFile(file, text, 0o600)
}
