package program

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"pwpipe/internal/machine/writefile"
	"pwpipe/provider"
)

// repaired lists the selectors that were replaced.
func (st *Step) repaired() (list []string) {
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
func (s *Script) updated(table *provider.Table, failed bool) string {
	if !slices.ContainsFunc(s.Steps, func(st *Step) bool { return len(st.repair.Repaired) > 0 }) {
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

// maxUpdated bounds a script that is updated, in bytes.
const maxUpdated = 256 << 20

// update writes the repaired selectors into the script's file, and returns how many lines it
// changed. Everything else stays as it is.
func (s *Script) update(table *provider.Table) (changed int, err error) {
	text, err := writefile.Read(s.Name, maxUpdated)
	if err != nil {
		return 0, err
	}
	if sha256.Sum256(text) != s.sum { // the numbers of its lines may be others now
		return 0, writefile.ErrChanged
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
	return changed, writefile.Edit(s.Name, text, bytes.Join(lines, nil), writefile.Public, maxUpdated)
}

// rewritten returns the step's line with the selectors that were found.
func (st *Step) rewritten(table *provider.Table, old []byte) ([]byte, error) {
	elements, texts := st.repair.Elements, map[int]map[string]string{}
	for name, r := range st.repair.Repaired {
		elements[name] = r.Element
		step, param := stepOf(name)
		if texts[step] == nil {
			texts[step] = map[string]string{}
		}
		texts[step][param] = r.To
	}
	line := bytes.TrimPrefix(bytes.TrimSpace(old), []byte("\ufeff"))
	made, err := table.WithTexts(line, st.Request, texts, elements)
	return append(made, '\n'), err
}
