#!/bin/sh
# Writes the shells' completions and the manual page for the packages of a release.
set -e
mkdir -p dist-docs/completions
for shell in bash zsh fish; do
	go run ./cmd/pwpipe completion "$shell" >"dist-docs/completions/pwpipe.$shell"
done
go run ./cmd/pwpipe help --man >dist-docs/pwpipe.1
