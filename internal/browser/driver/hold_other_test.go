//go:build !linux

package driver

const envHelper = "PWPIPE_TEST_HELPER"

func helper() {}
