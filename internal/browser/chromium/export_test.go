package chromium

// Unused is the early browser that the driver has not got, nil for none.
func (l *Launcher) Unused() *Process { return l.early }

// Args are the arguments that the browser was started with.
func (p *Process) Args() []string { return p.args }
