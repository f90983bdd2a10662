// Command renew pins the newest Chromium: `go generate ./internal/machine/setup` runs it.
package main

import (
	"context"
	"fmt"
	"os"

	"pwpipe/internal/machine/setup"
)

func main() {
	said, err := setup.Renew(context.Background(), setup.Options{}, "versions.go")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(said)
}
