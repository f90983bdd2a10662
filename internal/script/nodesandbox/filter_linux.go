package nodesandbox

import (
	"encoding/binary"
	"slices"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// The filter of system calls is an allow-list: what Node 18 to 24 makes of them,
// with glibc or musl, and what is like it and does no harm. All else is refused,
// and so is what kernels will learn. The x/net assembler makes it of our own
// table, since libraries for seccomp are cgo or know calls by name only.

// test is a condition on the low half of an argument: those are ints to the
// kernel, and flags that have no others.
type test struct {
	arg         int
	mask, value uint32
	high        bool // of the high half, as of a pointer
}

// rule allows a call where all tests of one of its cases hold.
type rule struct {
	call  int
	cases [][]test
	errno unix.Errno // else
}

// is makes a case of one test, that an argument is a value.
func is(arg int, value uint32) []test { return []test{{arg: arg, mask: ^uint32(0), value: value}} }

// oneOf are cases of an argument's values.
func oneOf(arg int, values ...uint32) (cases [][]test) {
	for _, v := range values {
		cases = append(cases, is(arg, v))
	}
	return cases
}

// Offsets in struct seccomp_data.
const (
	atCall = 0
	atArch = 4
	atArgs = 16
)

// unified is the first call that has the same number on all architectures, of
// Linux 5.1. Those from there on that are not allowed are answered as an older
// kernel does, and libraries know what to do then.
const unified = 424

// filter is the program for a process, which knows itself by pid, is executed by the
// descriptor becomes and may be alone in its namespace; "" where the architecture has no table.
func filter(pid, becomes int, alone bool) string {
	program := assemble(rules(uint32(pid), uint32(becomes), alone))
	raw, err := bpf.Assemble(program)
	if err != nil { // a jump that is too long, which a test would see
		panic(err)
	}
	var text []byte
	for _, i := range raw {
		text = binary.NativeEndian.AppendUint16(text, i.Op)
		text = append(text, i.Jt, i.Jf)
		text = binary.NativeEndian.AppendUint32(text, i.K)
	}
	return string(text)
}

func errno(e unix.Errno) bpf.Instruction {
	return bpf.RetConstant{Val: unix.SECCOMP_RET_ERRNO | uint32(e)}
}

var (
	allow = bpf.RetConstant{Val: unix.SECCOMP_RET_ALLOW}
	kill  = bpf.RetConstant{Val: unix.SECCOMP_RET_KILL_PROCESS}
)

// assemble writes the program: other architectures' calls end the process, then
// come the rules, then the calls that are allowed whatever their arguments.
func assemble(rules []rule) (p []bpf.Instruction) {
	if architecture == 0 {
		return nil
	}
	p = append(p,
		bpf.LoadAbsolute{Off: atArch, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: architecture, SkipTrue: 1}, kill,
		bpf.LoadAbsolute{Off: atCall, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpLessThan, Val: foreignCalls, SkipTrue: 1}, kill)
	for _, r := range rules {
		body := r.assemble()
		p = append(p, bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: uint32(r.call), SkipTrue: uint8(len(body))})
		p = append(p, body...)
	}
	for _, r := range ranges(append(slices.Clone(calls), callsHere...)) {
		p = append(p,
			bpf.JumpIf{Cond: bpf.JumpLessThan, Val: r[0], SkipTrue: 2},
			bpf.JumpIf{Cond: bpf.JumpGreaterThan, Val: r[1], SkipTrue: 1}, allow)
	}
	return append(p, bpf.JumpIf{Cond: bpf.JumpLessThan, Val: unified, SkipTrue: 1}, errno(unix.ENOSYS), errno(unix.EPERM))
}

// assemble writes what is asked of a call's arguments. It ends in an answer.
func (r rule) assemble() (p []bpf.Instruction) {
	for _, tests := range r.cases {
		left := 3*len(tests) + 1
		for _, t := range tests {
			off := uint32(atArgs + 8*t.arg)
			if t.high { // the architectures that have a table are little-endian
				off += 4
			}
			left -= 3
			p = append(p, bpf.LoadAbsolute{Off: off, Size: 4}, bpf.ALUOpConstant{Op: bpf.ALUOpAnd, Val: t.mask},
				bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: t.value, SkipTrue: uint8(left)})
		}
		p = append(p, allow)
	}
	return append(p, errno(r.errno))
}

// ranges are numbers as they follow one another.
func ranges(numbers []int) (list [][2]uint32) {
	slices.Sort(numbers)
	for _, n := range numbers {
		if last := len(list) - 1; last >= 0 && uint32(n) <= list[last][1]+1 {
			list[last][1] = uint32(n)
			continue
		}
		list = append(list, [2]uint32{uint32(n), uint32(n)})
	}
	return list
}
