//go:build !linux

package driver

// keeper is empty: remaining processes of a browser can't be found here.
type keeper struct{}

// KeepBrowsers does nothing here: browsers end when the driver's pipe to them
// closes.
func (d *Driver) KeepBrowsers(...int) {}

// EndBrowser does nothing here.
func (d *Driver) EndBrowser(int) {}

func (d *Driver) endBrowsers() {}

func (d *Driver) hurry(<-chan struct{}) {}

func hasEnded(int) bool { return false }
