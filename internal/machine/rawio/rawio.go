// Package rawio reads and writes pipes and sockets without waking the part of Go's
// runtime that watches over system calls. That watcher is a thread that sleeps while
// nothing runs. An ordinary call wakes it, which costs the caller some 25 µs, and it
// then runs on another processor.
//
// A call through this package must not block, and the work after it must not take long,
// because the watcher also interrupts long work. So long messages use ordinary calls.
package rawio

// most is the longest message, in bytes.
const most = 16 << 10
