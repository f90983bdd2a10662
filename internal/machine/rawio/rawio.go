// Package rawio reads and writes pipes and sockets without waking the part of
// Go's runtime that watches over system calls. That watcher is a thread that
// sleeps while nothing runs. An ordinary call wakes it, which costs the caller
// some 25 µs, and it then runs on another processor.
//
// What is done so must not block, and what follows must not take long, as the
// watcher is also who interrupts it: long messages go the ordinary way.
package rawio

// most is how long a message may be, in bytes.
const most = 16 << 10
