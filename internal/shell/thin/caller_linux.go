package thin

import "os"

// controlling is the terminal that controls this process. It stays the same where input and
// output are pipes or files.
func controlling() (t terminal, ok bool) {
	text, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return t, false
	}
	rest := string(text)
	for { // the program's name may hold brackets and spaces
		_, after, more := cut(rest, ")")
		if !more {
			break
		}
		rest = after
	}
	var fields [5]string // a space, state, parent, process group, session; then the terminal
	for i := range fields {
		fields[i], rest, _ = cut(rest, " ")
	}
	device, _, _ := cut(rest, " ")
	n := number(device)
	if n <= 0 {
		return t, false
	}
	major, minor := n>>8&0xfff, n&0xff|n>>12&0xfff00
	switch {
	case major >= 136 && major < 144:
		t.name = "pts/" + decimal((major-136)<<8+minor)
	case major == 4 && minor < 64:
		t.name = "tty" + decimal(minor)
	default:
		t.name = device
	}
	t.leader, t.id = max(number(fields[4]), 0), fields[4]+" "+device
	return t, true
}
