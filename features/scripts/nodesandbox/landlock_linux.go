package nodesandbox

import (
	"encoding/binary"
	"slices"

	"golang.org/x/sys/unix"

	"pwpipe/internal/machine/cell"
)

// landlockABI is the kernel's version of Landlock, 0 for none.
var landlockABI = func() int {
	n, _, e := unix.RawSyscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if e != 0 {
		return 0
	}
	return int(n)
}

// Rights, by their purpose.
const (
	readFile   = unix.LANDLOCK_ACCESS_FS_READ_FILE
	readFolder = readFile | unix.LANDLOCK_ACCESS_FS_READ_DIR
	writeFile  = readFile | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	// No links, sockets, pipes or devices: nothing in a scratch folder can lead us
	// elsewhere.
	writeFolder = readFolder | writeFile | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_DIR |
		unix.LANDLOCK_ACCESS_FS_REMOVE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REFER
	execute = readFile | unix.LANDLOCK_ACCESS_FS_EXECUTE
)

// harmless are the files that Node, libc and OpenSSL read, if they exist, including
// what Linux distributions keep outside of Node's program.
var harmless = []string{
	"/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo", "/etc/os-release", "/usr/lib/os-release",
	"/etc/ssl/openssl.cnf", "/usr/lib/ssl/openssl.cnf", "/usr/local/ssl/openssl.cnf", "/etc/pki/tls/openssl.cnf", "/etc/crypto-policies",
	"/usr/share/nodejs", "/usr/lib/node_modules", "/usr/share/icu",
	"/dev/urandom", "/dev/random", "/proc/meminfo", "/proc/cpuinfo", "/proc/stat", "/proc/self/stat",
}

// handled are the rights that a version of Landlock knows, in the order of its
// ruleset's members: files, network, scopes.
func handled(abi int) (list []uint64) {
	files := uint64(unix.LANDLOCK_ACCESS_FS_MAKE_SYM)<<1 - 1
	for version, right := range map[int]uint64{2: unix.LANDLOCK_ACCESS_FS_REFER, 3: unix.LANDLOCK_ACCESS_FS_TRUNCATE, 5: unix.LANDLOCK_ACCESS_FS_IOCTL_DEV} {
		if abi >= version {
			files |= right
		}
	}
	list = append(list, files)
	if abi >= 4 {
		list = append(list, unix.LANDLOCK_ACCESS_NET_BIND_TCP|unix.LANDLOCK_ACCESS_NET_CONNECT_TCP)
	}
	if abi >= 6 {
		list = append(list, unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET|unix.LANDLOCK_SCOPE_SIGNAL)
	}
	return list
}

// landlock is the ruleset with its rules: what no rule allows is refused.
func landlock(abi int, n needs, o Options) (ruleset string, rules []cell.Beneath) {
	if abi == 0 {
		return "", nil
	}
	known := handled(abi)
	var attr []byte
	for _, rights := range known {
		attr = binary.NativeEndian.AppendUint64(attr, rights)
	}
	add := func(path string, file, folder uint64) {
		rules = append(rules, cell.Beneath{Path: path, File: file & known[0], Folder: folder & known[0]})
	}
	add(n.program, execute, 0)
	if n.loader != "" {
		add(n.loader, execute, 0)
	}
	for _, path := range n.libraries {
		add(path, readFile, 0)
	}
	for _, path := range slices.Concat(harmless, o.Read) {
		add(path, readFile, readFolder)
	}
	add("/dev/null", writeFile, 0)
	add(o.Scratch, 0, writeFolder)
	return string(attr), rules
}
