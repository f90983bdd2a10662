package nodesandbox

// Wall is one of the walls of a cell.
type Wall struct {
	Name   string
	Stands bool
	Why    string // why it is missing, "" if it stands
	Worth  string // what it does, in a line
}

// What the walls do.
const (
	worthFiles      = "it reads Node, its packages and its folder, and writes its folder only"
	worthCalls      = "it makes no sockets and no processes, reaches no others, and changes no rights or owners"
	worthNamespaces = "it has a network without a way out, and sees no other process"
	worthLimits     = "its memory, threads, descriptors and files are bounded"
	worthPermission = "Node's own API refuses files outside its folders, and processes; it does not hold native code"
	worthSeatbelt   = "it has no network, no processes, and no files but its own"
)
