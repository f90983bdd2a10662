package tool

import (
	"context"

	"pwpipe/provider"
)

// BatchTools are those that provider itself brings: batch, help, and the rest of what was cut.
func BatchTools() []*provider.Tool {
	batch := Batch.Switches("batch", "Batch", "Run many steps as one request, in order; later steps may use earlier results")
	// What steps answer is marked as each step's tool has it.
	batch.Words, batch.Steps = provider.OwnWords, true
	more := Read.Reads("more", "More", "Read the next part of a reply that max has cut")
	help := Help.Reads("help", "Help", "Say where the tools are listed, or what one of them takes")
	help.Sessionless, help.Unlogged, help.Words = true, true, provider.OwnWords
	return []*provider.Tool{
		Define(help, provider.RunHelp),
		Define(batch, provider.RunBatch),
		Define(more, func(ctx context.Context, in moreParams) (provider.Piece, error) {
			return provider.More(ctx, in.Cursor, in.Max) // it needs no page
		}),
	}
}

type moreParams struct {
	Cursor string `json:"cursor" secrets:"no" doc:"as the cut reply gave it"`
	Max    int    `json:"max,omitempty" doc:"most characters to answer; default: as before" min:"1"`
}
