package script

import (
	"runtime/metrics"
	"sync/atomic"
)

// heap is the memory of the process's objects, in bytes; what is no longer in
// use counts until it is collected.
func heap() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// working counts the engines that are at work, those that were given up and are
// still in a step among them; begun how often one began.
var working, begun atomic.Int64

// charge is how much memory a script is charged with. Memory is measured of the
// process as a whole: what it has when the script begins is not the script's, nor
// is what it grows by while another engine is at work too, which counts only
// towards what all may have together.
type charge struct {
	base   uint64 // what is not the script's
	low    uint64 // the least that there was
	last   uint64 // what there was when last looked
	others int64  // how often other engines had begun by then
	shared bool   // one of them was at work then
}

// newCharge is that of what begins now in an engine that has begun to work own
// times.
func newCharge(own int64) charge {
	now := heap()
	return charge{base: now, low: now, last: now, others: begun.Load() - own, shared: working.Load() > 0}
}

// grown looks again.
func (c *charge) grown(own int64) uint64 {
	return c.add(heap(), begun.Load()-own, working.Load() > 1)
}

// add takes what the process has now, and what other engines did meanwhile.
func (c *charge) add(now uint64, others int64, shared bool) uint64 {
	if (shared || c.shared || others != c.others) && now > c.last {
		c.base += now - c.last
	}
	c.base, c.low = min(c.base, now), min(c.low, now)
	c.last, c.others, c.shared = now, others, shared
	return now - c.base
}
