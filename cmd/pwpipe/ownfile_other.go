//go:build !unix

package main

// ownFile takes every file: there are no owners to ask about.
func ownFile(string) error { return nil }
