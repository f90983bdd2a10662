package main

import "pwpipe/internal/pipetest"

// Tests of steps are short words.
var (
	does = pipetest.Does
	list = pipetest.List
)
