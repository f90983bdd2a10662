//go:build evidence && unix

package provider_test

import (
	"bufio"
	"context"
	"io"
	"syscall"
	"testing"
	"time"

	"pwpipe/provider"
	"pwpipe/provider/wire"
)

// fillIn has the usual parameters of a tool.
type fillIn struct {
	Sel   string `json:"sel" doc:"selector"`
	Val   string `json:"val" doc:"text"`
	Force bool   `json:"force,omitempty" doc:"without waiting"`
	Times int    `json:"times,omitempty" doc:"how often" default:"1" min:"1" max:"9"`
}

// BenchmarkFunnel measures a request without its tool: a line in, a tool that
// does nothing, a line out. It also reports CPU time, because elapsed time
// means little on a busy machine.
func BenchmarkFunnel(b *testing.B) {
	for _, c := range []struct{ name, line string }{
		{"plain-by-name", `{"id":1,"method":"fill","params":{"sel":"#name","val":"Ada Albers"}}`},
		{"plain-by-array", `{"id":1,"method":"fill","params":["#name","Ada Albers"]}`},
		{"plain-envelope", `{"id":1,"method":"fill","params":{"sel":"#name","val":"Ada Albers","page":"p1","timeout":5}}`},
		{"json-rpc", `{"jsonrpc":"2.0","id":1,"method":"fill","params":{"sel":"#name","val":"Ada Albers"}}`},
		{"mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fill","arguments":{"sel":"#name","val":"Ada Albers"}}}`},
	} {
		b.Run(c.name, func(b *testing.B) { benchLine(b, c.line+"\n") })
	}
}

func benchLine(b *testing.B, line string) {
	fill := provider.Define(provider.Spec{Name: "fill", Title: "T", Doc: "Test tool", Profile: "core", Timeout: 5 * time.Second}, func(_ context.Context, in fillIn) (string, error) {
		return in.Val, nil
	})
	inR, in := io.Pipe()
	out, outW := io.Pipe()
	s := &wire.Stdio{Table: provider.NewTable([]*provider.Tool{fill}, provider.TableOptions{}), Pages: noPages{}}
	done := make(chan error, 1)
	go func() {
		_, err := s.Serve(context.Background(), inR, outW)
		done <- err
	}()
	replies := bufio.NewReader(out)
	ask := func(line string) {
		if _, err := io.WriteString(in, line); err != nil {
			b.Fatal(err)
		}
		if reply, err := replies.ReadSlice('\n'); err != nil || len(reply) < 20 {
			b.Fatalf("%s %v", reply, err)
		}
	}
	ask(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}` + "\n")
	ask(line)
	b.ReportAllocs()
	before := userTime()
	b.ResetTimer()
	for range b.N {
		ask(line)
	}
	b.StopTimer()
	b.ReportMetric(float64(userTime()-before)/float64(b.N), "user-ns/op")
	in.Close()
	if err := <-done; err != nil {
		b.Fatal(err)
	}
}

// userTime is the CPU time of this process in user mode.
func userTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano())
}
