//go:build !race

package pipetest

const raceEnabled = false
