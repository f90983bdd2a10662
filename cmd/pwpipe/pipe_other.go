//go:build !unix

package main

import "os"

// pollable has nothing to gain here.
func pollable(f *os.File) (in *os.File, restore func()) { return f, func() {} }

// watchReader is left to the next write here.
func watchReader(f *os.File, gone func()) {}
