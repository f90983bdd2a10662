// Package quiet reads and writes pipes and sockets past the part of Go's runtime
// that watches over system calls. That watcher is a thread which sleeps while
// nothing runs, and every call made in the ordinary way wakes it: some 25 µs for
// who wakes it, and then it looks on from the other processor. Between two
// processes that hand each other short messages this was a third of all the work.
//
// What is done so must not block, and what follows must not take long, as the
// watcher is also who interrupts it: long messages go the ordinary way.
package quiet

// most is how long a message may be, in bytes.
const most = 16 << 10
