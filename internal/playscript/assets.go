package playscript

import (
	"bytes"
	"embed"
	"encoding/json"
	"os"
	"path/filepath"
)

//go:embed js/*.cjs
var sources embed.FS

// parts are what the process runs, in this order.
var parts = []string{"start", "cache", "zones", "intrinsics", "wire", "files", "sockets", "browser", "patches", "values", "patience", "compile", "scope", "helpers", "expect", "run"}

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
	Cache     string            `json:"cache"` // file of the compiled packages
	Key       string            `json:"key"`   // what it is of
	Build     bool              `json:"build"` // only write that file
}

// writeEntry puts what Node runs into a folder. Written anew for every process,
// it can be neither stale nor half there.
func writeEntry(dir string, s settings) (string, error) {
	var b bytes.Buffer
	text, err := json.Marshal(s)
	if err != nil {
		return "", err
	}
	b.WriteString("'use strict';\nconst settings = ")
	b.Write(text)
	b.WriteString(";\n")
	for _, name := range parts {
		code, err := sources.ReadFile("js/" + name + ".cjs")
		if err != nil {
			return "", err
		}
		b.Write(code)
	}
	path := filepath.Join(dir, "scripts.cjs")
	return path, os.WriteFile(path, b.Bytes(), 0o600)
}
