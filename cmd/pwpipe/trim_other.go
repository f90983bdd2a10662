//go:build !linux

package main

// trimStart has no like here.
func trimStart() {}
