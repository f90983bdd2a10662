// Command pack makes the packages of a release from the release's archives: for npm, for
// pip, and for MCP hosts. An archive is named as .goreleaser.yaml names it:
// pwpipe_1.2.3_linux_amd64.tar.gz, or .zip for Windows. Each gives a platform package of
// npm and a wheel. All of them together give the MCP bundle. With a repository of GitHub
// there is a server.json for the MCP registry.
//
//	go run ./deploy/pack -version 1.2.3 -repository owner/name -archives dist -out dist/packages
package main

import (
	"flag"
	"fmt"
	"os"

	"pwpipe/deploy/packages"
	"pwpipe/features"
)

func main() {
	version := flag.String("version", "", "the release's version, without a v")
	archives := flag.String("archives", "dist", "folder with the release's archives")
	repository := flag.String("repository", "", "the repository on GitHub, as owner/name")
	out := flag.String("out", "dist/packages", "folder for the packages")
	flag.Parse()
	if err := packages.Make(*version, *repository, *archives, *out, features.Tools()); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}
