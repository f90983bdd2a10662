package scripthost

import (
	"errors"
	"strings"
)

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
