package watch

import "pwpipe/provider"

// maxAside bounds a viewer's slow requests that run at once.
const maxAside = 4

// aside runs a slow request in parallel with the viewer's others.
func (v *viewer) aside(do func() error) error {
	if v.asked.Add(1) > maxAside {
		v.asked.Add(-1)
		return provider.Errorf(provider.KindLimit, "too many requests are under way; wait for their answers")
	}
	go func() {
		defer v.asked.Add(-1)
		v.complain(do())
	}()
	return nil
}
