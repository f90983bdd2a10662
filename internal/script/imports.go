package script

import (
	"fmt"
	"regexp"
	"strings"
)

// importName is what an import() of a script is called once it was rewritten:
// the engine has none of its own.
const importName = "$import"

var (
	// An import at the beginning of a line: default name, * as name or { names },
	// module.
	staticImport  = regexp.MustCompile(`(?m)^([ \t]*)import\s+(type\s+)?(?:([\w$]+)\s*,?\s*)?(?:\*\s*as\s+([\w$]+)|(\{[^}]*\}))?(?:\s*from)?\s*["']([^"'\n]+)["'](?:\s*with\s*\{[^}]*\})?[ \t]*;?`)
	dynamicImport = regexp.MustCompile(`(^|[^.\w$])import(\s*\()`)
	renamed       = regexp.MustCompile(`([\w$]+)(\s+)as(\s+[\w$]+)`)
	importedType  = regexp.MustCompile(`\btype\s+[\w$]+(?:\s+as\s+[\w$]+)?\s*,?`)
)

// withRequire writes a script's imports as calls. Lines stay lines.
func withRequire(code string) string {
	code = staticImport.ReplaceAllStringFunc(code, func(s string) string {
		m := staticImport.FindStringSubmatch(s)
		space, types, standard, all, some, module := m[1], m[2], m[3], m[4], m[5], fmt.Sprintf("%s.all(%q)", importName, m[6])
		if types != "" && (standard != "" || all != "" || some != "") {
			return strings.Repeat("\n", strings.Count(s, "\n"))
		}
		var made []string
		if standard != "" {
			made = append(made, standard+" = "+module+".default")
		}
		if all != "" {
			made = append(made, all+" = "+module)
		}
		if some != "" {
			made = append(made, renamed.ReplaceAllString(importedType.ReplaceAllString(some, ""), "$1$2:$3")+" = "+module)
		}
		if made == nil {
			return space + module + ";"
		}
		return space + "const " + strings.Join(made, ", ") + ";"
	})
	return dynamicImport.ReplaceAllString(code, "${1}"+strings.ReplaceAll(importName, "$", "$$")+"${2}")
}

// importing gives a function that the page is to run its import() back.
func importing(text string) string { return strings.ReplaceAll(text, importName+"(", "import(") }
