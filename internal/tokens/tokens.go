// Package tokens counts what texts cost a language model, offline.
package tokens

import (
	"sync"

	"github.com/tiktoken-go/tokenizer"
)

var codec = sync.OnceValues(func() (tokenizer.Codec, error) { return tokenizer.Get(tokenizer.O200kBase) })

// Count is the number of o200k_base tokens of a text.
func Count(text string) (int, error) {
	c, err := codec()
	if err != nil {
		return 0, err
	}
	return c.Count(text)
}
