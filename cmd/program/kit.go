package program

// What the commands of features are made of.
var (
	Command     = command     // makes a command
	Takes       = takes       // bounds the number of words that a command takes
	Complete    = complete    // offers values of a flag
	CheckValue  = checkValue  // refuses a value of a flag that is none of a few
	WatchReader = watchReader // calls a function when nobody reads a file any more
	UntilSignal = untilSignal // ends a context at the first signal that asks us to stop
	StartApart  = startApart  // starts this program as a service of the user, which outlives this process
	WrongWords  = wrongWords  // says that a command got words that it does not take, or too few
	IsIn        = isIn        // reports whether a path is a folder or lies in it, with links followed
	ErrOther    = errOther    // says that another process has started the service
)

// What a service without clients waits for the first, and a new one for the socket.
const (
	SpareTime  = spareTime
	SocketTime = socketTime
)
