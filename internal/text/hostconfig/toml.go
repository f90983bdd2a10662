package hostconfig

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

func readTOML(text []byte) (map[string]any, error) {
	config := map[string]any{}
	err := toml.Unmarshal(text, &config)
	if bad, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, column := bad.Position()
		err = fmt.Errorf("line %d, column %d: %w", line, column, err)
	}
	return config, err
}

// addTOML appends the server's table. At the end of the text it is not part of another table.
func addTOML(text []byte, section string, s Server) []byte {
	newline := "\n"
	if bytes.Contains(text, []byte("\r\n")) {
		newline = "\r\n"
	}
	gap := newline + newline
	if len(bytes.TrimSpace(text)) == 0 {
		gap = ""
	} else if bytes.HasSuffix(text, []byte("\n")) {
		gap = newline
	}
	return slices.Concat(text, []byte(gap), []byte(strings.ReplaceAll(tomlEntry(section, s), "\n", newline)))
}

func tomlEntry(section string, s Server) string {
	entry := struct {
		Command string   `toml:"command"`
		Args    []string `toml:"args"`
	}{s.Command, s.Args}
	var b strings.Builder
	b.WriteString("[" + section + "." + s.Name + "]\n")
	_ = toml.NewEncoder(&b).Encode(entry) // strings have a TOML
	return b.String()
}
