package program

// What the commands of features are made of.
var (
	Command         = command         // makes a command
	Takes           = takes           // bounds the number of words that a command takes
	Complete        = complete        // offers values of a flag
	CheckValue      = checkValue      // refuses a value of a flag that is none of a few
	WatchReader     = watchReader     // calls a function when nobody reads a file any more
	UntilSignal     = untilSignal     // ends a context at the first signal that asks us to stop
	WrongWords      = wrongWords      // says that a command got words that it does not take, or too few
	NoValue         = noValue         // says that a flag lacks its value
	PlainFlag       = plainFlag       // is an error about a flag, in our words
	EnvName         = envName         // is the variable of a flag
	FromEnvironment = fromEnvironment // sets the flags that were not given from variables
	OneThread       = oneThread       // keeps Go code on one thread at a time
	ShellHelp       = shellHelp       // is the help of a shell command
	IsIn            = isIn            // reports whether a path is a folder or lies in it, with links followed
)
