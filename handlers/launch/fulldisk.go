package launch

import (
	"pwpipe/internal/machine/setup"
	"pwpipe/provider"
)

// TempTrouble is what is wrong with the temporary folder, where the browser's
// processes share their memory; nil if nothing is, or the browser is elsewhere.
func (r *Run) TempTrouble() error {
	if r.attached != "" {
		return nil
	}
	return setup.CheckTemp()
}

// BlameDisk adds to a failure that the temporary folder is full or gone. The
// browser says anything but that: net::ERR_INSUFFICIENT_RESOURCES, "Unable to
// capture screenshot", or nothing at all.
func (r *Run) BlameDisk(err error) error {
	if err == nil {
		return nil
	}
	own := provider.AsError(err)
	switch own.Kind {
	case provider.KindFailed, provider.KindTimeout, provider.KindUnavailable:
	default:
		return err
	}
	trouble := r.TempTrouble()
	if trouble == nil {
		return err
	}
	blamed := *own
	return blamed.WithHint("%s", trouble)
}
