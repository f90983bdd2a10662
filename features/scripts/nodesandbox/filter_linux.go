package nodesandbox

import (
	"encoding/binary"
	"slices"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// The filter of system calls is an allow-list: the calls of Node 18 to 24, with glibc
// or musl, and similar harmless ones. All others are refused, also those of future
// kernels. The x/net assembler makes the filter from our own table, since libraries for
// seccomp need cgo or know calls only by name.

// test is a condition on the low half of an argument: the kernel takes these arguments
// as ints, or as flags without higher bits.
type test struct {
	arg         int
	mask, value uint32
	high        bool // of the high half, as of a pointer
}

// rule allows a call if all tests of one of its cases hold.
type rule struct {
	call  int
	cases [][]test
	errno unix.Errno // otherwise
}

// is makes a case of one test: an argument has a value.
func is(arg int, value uint32) []test { return []test{{arg: arg, mask: ^uint32(0), value: value}} }

// oneOf makes cases for the values of an argument.
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

// unified is the first call with the same number on all architectures, of Linux 5.1.
// Later calls that are not allowed get the answer of an older kernel, which libraries
// can handle.
const unified = 424

// filter is the program for a process. It knows itself by pid, is executed by the
// descriptor becomes and may be alone in its namespace. "" if the architecture has no
// table.
func filter(pid, becomes int, alone bool) string {
	program := assemble(rules(uint32(pid), uint32(becomes), alone))
	raw, err := bpf.Assemble(program)
	if err != nil { // a jump that is too long, which a test would find
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

// assemble writes the program: calls of other architectures end the process; then come
// the rules, then the calls that are allowed with any arguments.
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

// assemble writes the tests of a call's arguments. It ends in an answer.
func (r rule) assemble() (p []bpf.Instruction) {
	for _, tests := range r.cases {
		left := 3*len(tests) + 1
		for _, t := range tests {
			off := uint32(atArgs + 8*t.arg)
			if t.high { // the architectures with a table are little-endian
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

// ranges groups numbers into consecutive ranges.
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
