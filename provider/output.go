package provider

// The output of lanes: lines are queued, and one writer owns the stream.

// push queues a line, nil to only wake the writer. The lock is held.
func (l *Lanes) push(line []byte) {
	if line != nil {
		l.outBytes += len(line)
		l.outbox = append(l.outbox, line)
	}
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// expect announces an answer outside of any lane. The end of the stream waits for it.
// The sender calls done.
func (l *Lanes) expect() (done func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.outside++
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.outside--
		l.room.Broadcast()
	}
}

// send writes a line outside of any lane: answers to cancel, parse errors, messages of
// a server. It blocks while too much waits to be written.
func (l *Lanes) send(line []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for !l.stopped && l.outBytes >= maxOutBytes {
		l.room.Wait()
	}
	if !l.stopped {
		l.push(line)
	}
}

// write is the one writer of the output. It writes all queued lines at once.
func (l *Lanes) write() {
	defer close(l.done)
	var buf []byte
	for range l.wake {
		l.mu.Lock()
		lines, closing := l.outbox, l.closing || l.stopped
		l.outbox = nil
		l.mu.Unlock()
		buf = buf[:0]
		written := 0
		for _, line := range lines {
			buf = append(append(buf, line...), '\n')
			written += len(line)
		}
		var err error
		if len(buf) > 0 {
			_, err = l.out.Write(buf)
		}
		if cap(buf) > 1<<20 {
			buf = nil // don't keep the memory of one large reply for ever
		}
		l.mu.Lock()
		l.outBytes -= written
		if err != nil {
			l.err = err
			l.stop()
		}
		l.start()
		l.room.Broadcast()
		empty := len(l.outbox) == 0
		l.mu.Unlock()
		if err != nil || closing && empty {
			return
		}
	}
}
