package setup

// Pinned names what this version of pwpipe runs on: Playwright's driver, and the browser
// that it fetches where none is named.
func Pinned() string {
	return "Playwright " + driverRelease.Version + ", Chromium " + chromiumRelease.Version
}
