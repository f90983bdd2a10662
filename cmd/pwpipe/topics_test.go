package main

import "pwpipe/internal/pipetest"

// Short names for steps of tests.
var (
	does = pipetest.Does
	list = pipetest.List
)
