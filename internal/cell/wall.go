package cell

// Wall is one of the walls of a cell.
type Wall struct {
	Name   string
	Stands bool
	Why    string // what keeps it from standing, "" if nothing does
	Worth  string // what it is worth, in a line
}

// Walls says which walls stand here.
func Walls() []Wall { return nil }

// NetworkClosed reports whether what runs in a cell can't reach the network,
// even with code of its own in the place of Node's.
func NetworkClosed() bool { return false }
