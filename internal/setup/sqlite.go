package setup

import (
	"bytes"
	"encoding/binary"
)

// sqliteLib is the library that NSS loads for its database of certificates.
const sqliteLib = "libsqlite3.so.0"

// sqliteStub builds a shared library that has sqlite's name and the functions
// that NSS wants of it, each of which says that it failed. NSS then works
// without a database, as it does for a user who never made one; without any
// libsqlite3 it would not load at all. Building the 8 kB here spares fetching a
// package for a library that is never to do anything.
func sqliteStub() []byte {
	b := &stubBuilder{}
	b.strings.WriteByte(0)
	for _, f := range stubFuncs {
		b.symbol(f.name, sttFunc, b.emit(f.code), uint64(len(f.code)))
	}
	b.symbol("sqlite3_temp_directory", sttObject, stubData, 8)
	return b.link(sqliteLib)
}

// x86-64 code of the three kinds of function.
var (
	failInt  = []byte{0xb8, 1, 0, 0, 0, 0xc3}                                // mov eax, SQLITE_ERROR; ret
	failNull = []byte{0x31, 0xc0, 0xc3}                                      // xor eax, eax; ret
	failOpen = []byte{0x48, 0xc7, 0x06, 0, 0, 0, 0, 0xb8, 14, 0, 0, 0, 0xc3} // *ppDb = NULL; return SQLITE_CANTOPEN
)

var stubFuncs = []struct {
	name string
	code []byte
}{
	{"sqlite3_bind_blob", failInt},
	{"sqlite3_bind_int", failInt},
	{"sqlite3_bind_text", failInt},
	{"sqlite3_busy_timeout", failInt},
	{"sqlite3_close", failNull}, // SQLITE_OK: there is nothing to close
	{"sqlite3_column_blob", failNull},
	{"sqlite3_column_bytes", failNull},
	{"sqlite3_column_count", failNull},
	{"sqlite3_column_int", failNull},
	{"sqlite3_column_name", failNull},
	{"sqlite3_column_text", failNull},
	{"sqlite3_exec", failInt},
	{"sqlite3_file_control", failInt},
	{"sqlite3_finalize", failNull},
	{"sqlite3_free", failNull},
	{"sqlite3_mprintf", failNull},
	{"sqlite3_open_v2", failOpen},
	{"sqlite3_prepare_v2", failInt},
	{"sqlite3_reset", failInt},
	{"sqlite3_step", failInt},
}

// The file is two pages, loaded as they lie: page one holds headers, tables and
// code (read, execute), page two the dynamic section and the one variable (read,
// write).
const (
	stubPage    = 0x1000
	stubTables  = 0x200            // where the tables start, after the headers
	stubDynamic = stubPage         // the dynamic section
	stubData    = stubPage + 0x200 // the variable
	stubEnd     = stubPage + 0x208

	sttObject, sttFunc = 1, 2
)

type stubBuilder struct {
	code    bytes.Buffer
	strings bytes.Buffer
	symbols []stubSymbol
}

// stubSymbol is Elf64_Sym.
type stubSymbol struct {
	Name        uint32
	Info, Other uint8
	Section     uint16
	Value, Size uint64
}

const stubCode = 0xc00 // where the code starts, after the tables

func (b *stubBuilder) emit(code []byte) uint64 {
	for b.code.Len()%16 != 0 {
		b.code.WriteByte(0xcc)
	}
	at := uint64(stubCode + b.code.Len())
	b.code.Write(code)
	return at
}

func (b *stubBuilder) str(s string) uint64 {
	at := uint64(b.strings.Len())
	b.strings.WriteString(s + "\x00")
	return at
}

func (b *stubBuilder) symbol(name string, kind uint8, value, size uint64) {
	const global, section = 1 << 4, 1 // any section but 0 says that it is defined here
	b.symbols = append(b.symbols, stubSymbol{uint32(b.str(name)), global | kind, 0, section, value, size})
}

// link lays the pieces out as an ELF shared object.
func (b *stubBuilder) link(soname string) []byte {
	name := b.str(soname)
	symtab := append([]stubSymbol{{}}, b.symbols...)
	hash := b.hashTable(symtab)
	const symbolBytes = 24
	hashAt := uint64(stubTables)
	symAt := (hashAt + uint64(4*len(hash)) + 7) &^ 7
	strAt := symAt + uint64(symbolBytes*len(symtab))

	const dtStrTab, dtSymTab, dtStrSz, dtSymEnt, dtSoname, dtHash = 5, 6, 10, 11, 14, 4
	dynamic := []uint64{
		dtSoname, name, dtHash, hashAt, dtStrTab, strAt, dtSymTab, symAt,
		dtStrSz, uint64(b.strings.Len()), dtSymEnt, symbolBytes, 0, 0,
	}
	out := make([]byte, stubEnd)
	put(out, 0, elfHeader())
	put(out, 64, []progHeader{
		{Type: 1, Flags: 5, Size: stubPage, Memory: stubPage, Align: stubPage},
		{Type: 1, Flags: 6, Offset: stubPage, Address: stubPage, Physical: stubPage, Size: stubEnd - stubPage, Memory: stubEnd - stubPage, Align: stubPage},
		{Type: 2, Flags: 6, Offset: stubDynamic, Address: stubDynamic, Physical: stubDynamic, Size: uint64(8 * len(dynamic)), Memory: uint64(8 * len(dynamic)), Align: 8},
		{Type: 0x6474e551, Flags: 6, Align: 16}, // PT_GNU_STACK: the stack is not executable
	})
	put(out, hashAt, hash)
	put(out, symAt, symtab)
	copy(out[strAt:stubCode], b.strings.Bytes())
	copy(out[stubCode:stubPage], b.code.Bytes())
	put(out, stubDynamic, dynamic)
	return out
}

// hashTable is the classic one with a single bucket: a chain of all symbols.
func (b *stubBuilder) hashTable(symtab []stubSymbol) []uint32 {
	n := uint32(len(symtab))
	t := []uint32{1, n, 1, 0} // buckets, symbols, first of the bucket, chain of symbol 0
	for i := uint32(1); i < n; i++ {
		next := i + 1
		if next == n {
			next = 0
		}
		t = append(t, next)
	}
	return t
}

// progHeader is Elf64_Phdr.
type progHeader struct {
	Type, Flags                                    uint32
	Offset, Address, Physical, Size, Memory, Align uint64
}

// elfHeader is Elf64_Ehdr for a shared object of x86-64 with four program
// headers and no sections.
func elfHeader() any {
	return struct {
		Ident                          [16]byte
		Type, Machine                  uint16
		Version                        uint32
		Entry, PhOff, ShOff            uint64
		Flags                          uint32
		EhSize, PhEntSize, PhNum       uint16
		ShEntSize, ShNum, ShNamesIndex uint16
	}{
		Ident: [16]byte{0x7f, 'E', 'L', 'F', 2, 1, 1},
		Type:  3, Machine: 62, Version: 1, PhOff: 64,
		EhSize: 64, PhEntSize: 56, PhNum: 4, ShEntSize: 64,
	}
}

// put writes v in little endian at an offset of out.
func put(out []byte, at uint64, v any) {
	if _, err := binary.Encode(out[at:], binary.LittleEndian, v); err != nil {
		panic(err) // the layout is fixed: only a wrong constant above can do this
	}
}
