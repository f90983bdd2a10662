package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"pwpipe/provider"
)

// repaired lists the selectors that were replaced.
func (st *step) repaired() (list []string) {
	for _, name := range slices.Sorted(maps.Keys(st.repair.Repaired)) {
		r := st.repair.Repaired[name]
		where, param := stepOf(name)
		if where > 0 {
			param = fmt.Sprintf("step %d, %s", where, param)
		}
		list = append(list, fmt.Sprintf("%s %q is now %q", param, r.From, r.To))
	}
	return list
}

// stepOf parts the name of a recorded element into the number of the batch's step, 0 for
// none, and the name of the parameter.
func stepOf(name string) (step int, param string) {
	number, rest, ok := strings.Cut(name, ".")
	if n, err := strconv.Atoi(number); ok && err == nil {
		return n, rest
	}
	return 0, name
}

// updated writes the repaired selectors into the script's file, and returns what it did. If a
// step failed it writes nothing: a repair before it may be the cause.
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

// update writes the repaired selectors into the script's file, and returns how many lines it
// changed. Everything else stays as it is.
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
	info, err := os.Stat(s.Name)
	if err != nil {
		return 0, err
	}
	return changed, replaceFile(s.Name, bytes.Join(lines, nil), info.Mode().Perm(), nil)
}

// rewritten returns the step's line with the selectors that were found. Its parameters have
// names; its other members stay as they are.
func (st *step) rewritten(table *provider.Table, old []byte) ([]byte, error) {
	elements := st.repair.Elements
	params, inSteps := map[string]any{}, map[int]map[string]string{}
	for name, r := range st.repair.Repaired {
		elements[name] = r.Element
		step, param := stepOf(name)
		if step == 0 {
			params[param] = r.To
			continue
		}
		if inSteps[step] == nil {
			inSteps[step] = map[string]string{}
		}
		inSteps[step][param] = r.To
	}
	request := st.request
	request.Page, request.Timeout, request.Max = "", 0, 0 // stand beside the parameters
	q, err := table.Find(st.request.Tool).ByName(request)
	if err != nil {
		return nil, err
	}
	if len(inSteps) > 0 {
		var batch provider.BatchParams
		if err := json.Unmarshal(q.Params, &batch); err != nil {
			return nil, err
		}
		if params["steps"], err = table.WithParams(batch.Steps, inSteps); err != nil {
			return nil, err
		}
	}
	replaced, err := replaceMembers(q.Params, params)
	if err != nil {
		return nil, err
	}
	line := bytes.TrimPrefix(bytes.TrimSpace(old), []byte("\ufeff"))
	made, err := replaceMembers(line, map[string]any{"params": json.RawMessage(replaced), "element": elements})
	return append(made, '\n'), err
}

// replaceMembers returns a JSON object with other values for some of its members.
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

// compactJSON encodes a value as JSON, with < and > as they are.
func compactJSON(value any) (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(value)
	return bytes.TrimSpace(b.Bytes()), err
}
