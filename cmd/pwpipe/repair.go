package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	"pwpipe/handlers"
	"pwpipe/provider"
)

// withRepair has the step repaired, if that was asked for and its elements are known.
func (st *step) withRepair(ctx context.Context, asked bool) context.Context {
	if !asked || len(st.repair.Elements) == 0 {
		return ctx
	}
	return handlers.WithRepair(ctx, &st.repair)
}

// repaired says which selectors others stand for.
func (st *step) repaired() (list []string) {
	for _, name := range slices.Sorted(maps.Keys(st.repair.Repaired)) {
		r := st.repair.Repaired[name]
		list = append(list, fmt.Sprintf("%s %q is now %q", name, r.From, r.To))
	}
	return list
}

// updated updates the file of a script that ran, and says so. A step that failed may come
// from a repair before it, which is then not written.
func (s *script) updated(table *provider.Table, failed bool) string {
	if !slices.ContainsFunc(s.Steps, func(st *step) bool { return len(st.repair.Repaired) > 0 }) {
		return ""
	}
	if failed {
		return "  not updated: a step failed\n"
	}
	n, err := s.update(table)
	if err != nil {
		return fmt.Sprintf("  not updated: %v\n", err)
	}
	return fmt.Sprintf("  lines updated: %d\n", n)
}

// update writes the repaired selectors into the script's file, and answers how many lines
// it changed. All else stays as it is.
func (s *script) update(table *provider.Table) (changed int, err error) {
	text, err := os.ReadFile(s.Name)
	if err != nil {
		return 0, err
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	for _, st := range s.Steps {
		if len(st.repair.Repaired) == 0 || st.Number > len(lines) {
			continue
		}
		line, err := st.rewritten(table, lines[st.Number-1])
		if err != nil {
			return 0, fmt.Errorf("line %d: %w", st.Number, err)
		}
		lines[st.Number-1] = line
		changed++
	}
	if changed == 0 {
		return 0, nil
	}
	info, err := os.Stat(s.Name)
	if err != nil {
		return 0, err
	}
	return changed, replaceFile(s.Name, bytes.Join(lines, nil), info.Mode().Perm(), nil)
}

// rewritten is the step's line with the selectors that were found, its parameters by name.
// Its other members stay as they are.
func (st *step) rewritten(table *provider.Table, old []byte) ([]byte, error) {
	elements := st.repair.Elements
	params := map[string]string{}
	for name, r := range st.repair.Repaired {
		elements[name], params[name] = r.Element, r.To
	}
	request := st.request
	request.Page, request.Timeout, request.Max = "", 0, 0 // stand beside the parameters
	q, err := table.Find(st.request.Tool).ByName(request)
	if err != nil {
		return nil, err
	}
	replaced, err := replaceMembers(q.Params, params)
	if err != nil {
		return nil, err
	}
	line := bytes.TrimPrefix(bytes.TrimSpace(old), []byte("\ufeff"))
	made, err := replaceMembers(line, map[string]any{"params": json.RawMessage(replaced), "element": elements})
	return append(made, '\n'), err
}

// replaceMembers is an object of JSON with other values of some of its members.
func replaceMembers[V any](object []byte, values map[string]V) ([]byte, error) {
	dec := json.NewDecoder(bytes.NewReader(object))
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	out := []byte{'{'}
	for dec.More() {
		key, err := dec.Token()
		var value json.RawMessage
		if err = errors.Join(err, dec.Decode(&value)); err != nil {
			return nil, err
		}
		name, _ := key.(string)
		if other, ok := values[name]; ok {
			if value, err = compactJSON(other); err != nil {
				return nil, err
			}
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		quoted, _ := compactJSON(name)
		out = append(append(append(out, quoted...), ':'), value...)
	}
	return append(out, '}'), nil
}

// compactJSON is a value as JSON, with < and > as they are.
func compactJSON(value any) (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(value)
	return bytes.TrimSpace(b.Bytes()), err
}
