package watch

import "pwpipe/provider"

// mostAside is how much one viewer may have asked for that takes time.
const mostAside = 4

// aside does what takes time while the viewer goes on.
func (v *viewer) aside(do func()) error {
	if v.asked.Add(1) > mostAside {
		v.asked.Add(-1)
		return provider.Errorf(provider.KindLimit, "wait for what you have asked for")
	}
	go func() {
		defer v.asked.Add(-1)
		do()
	}()
	return nil
}
