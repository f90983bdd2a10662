// Package tokens counts what a text costs a language model, offline.
package tokens

import (
	"sync"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
)

// The vocabulary is read from a file that is embedded: as Go code it would take longer
// to compile than all of ours.
var encoding = sync.OnceValues(func() (*tiktoken.Tiktoken, error) {
	tiktoken.SetBpeLoader(loader.NewOfflineLoader())
	return tiktoken.GetEncoding(tiktoken.MODEL_O200K_BASE)
})

// Count is the number of o200k_base tokens of a text.
func Count(text string) (int, error) {
	e, err := encoding()
	if err != nil {
		return 0, err
	}
	return len(e.EncodeOrdinary(text)), nil
}
