package reexec

// CellFD, in the environment, is the number of the first of two descriptors. The
// process sets up walls as the [Cell] says that it reads from the first, and reports
// failures on the second. There the child also reports with [CellReady] that it can get
// the plan: from then on the kernel ends it when we are gone.
const (
	CellFD    = "PWPIPE_CELL"
	CellReady = 'r'
)

// Cell is what a process does to itself before it becomes another program. Package
// nodesandbox knows its meaning; this package carries it out.
type Cell struct {
	Dir, Program string
	Args, Env    []string
	Files        int // descriptors for the program, 0 to Files-1

	Limits   []Limit
	Nice     int
	Landlock string    // struct landlock_ruleset_attr, "" for none
	Beneath  []Beneath // its rules
	Filter   string    // seccomp's, an array of struct sock_filter, "" for none

	// Becomes is the descriptor by which the program is executed, Execveat the system
	// call's number. Once the limits are set no other file can get this descriptor. The
	// filter allows nothing else to be executed, and exec closes the descriptor, so it
	// works only once.
	Becomes, Execveat int
}

// Limit is a resource limit, soft and hard.
type Limit struct {
	Resource int
	Max      uint64
}

// Beneath is a Landlock rule. A rule for a missing path is left out.
type Beneath struct {
	Path         string
	File, Folder uint64 // rights, by the kind of path
}

// Text encodes the plan: numbers of eight bytes, and texts after their length.
func (c *Cell) Text() []byte {
	var p packer
	p.text(c.Dir)
	p.text(c.Program)
	p.list(c.Args)
	p.list(c.Env)
	p.number(uint64(c.Files))
	p.number(uint64(len(c.Limits)))
	for _, l := range c.Limits {
		p.number(uint64(l.Resource))
		p.number(l.Max)
	}
	p.number(uint64(c.Nice))
	p.text(c.Landlock)
	p.number(uint64(len(c.Beneath)))
	for _, b := range c.Beneath {
		p.text(b.Path)
		p.number(b.File)
		p.number(b.Folder)
	}
	p.text(c.Filter)
	p.number(uint64(c.Becomes))
	p.number(uint64(c.Execveat))
	return p
}

// parseCell decodes a plan. ok is false if something is missing, for example because
// its writer was killed.
func parseCell(text []byte) (c Cell, ok bool) {
	p := unpacker{rest: text}
	c.Dir, c.Program = p.text(), p.text()
	c.Args, c.Env = p.list(), p.list()
	c.Files = int(p.number())
	for n := p.number(); n > 0 && !p.short; n-- {
		c.Limits = append(c.Limits, Limit{int(p.number()), p.number()})
	}
	c.Nice = int(p.number())
	c.Landlock = p.text()
	for n := p.number(); n > 0 && !p.short; n-- {
		c.Beneath = append(c.Beneath, Beneath{p.text(), p.number(), p.number()})
	}
	c.Filter = p.text()
	c.Becomes, c.Execveat = int(p.number()), int(p.number())
	return c, !p.short && len(p.rest) == 0
}

// packer writes, and unpacker reads, without anything that needs initialisation.
type packer []byte

func (p *packer) number(n uint64) {
	for shift := 56; shift >= 0; shift -= 8 {
		*p = append(*p, byte(n>>shift))
	}
}

func (p *packer) text(s string) {
	p.number(uint64(len(s)))
	*p = append(*p, s...)
}

func (p *packer) list(l []string) {
	p.number(uint64(len(l)))
	for _, s := range l {
		p.text(s)
	}
}

type unpacker struct {
	rest  []byte
	short bool
}

func (p *unpacker) number() (n uint64) {
	for _, b := range p.take(8) {
		n = n<<8 | uint64(b)
	}
	return n
}

func (p *unpacker) text() string { return string(p.take(p.number())) }

func (p *unpacker) list() (l []string) {
	for n := p.number(); n > 0 && !p.short; n-- {
		l = append(l, p.text())
	}
	return l
}

func (p *unpacker) take(n uint64) []byte {
	if n > uint64(len(p.rest)) {
		p.short, p.rest = true, nil
		return nil
	}
	b := p.rest[:n]
	p.rest = p.rest[n:]
	return b
}
