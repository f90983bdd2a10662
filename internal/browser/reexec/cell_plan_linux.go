package reexec

// CellFD, in the environment, is the number of the first of two descriptors:
// put walls round this process, as a [Cell] that is read from it says, and tell
// on the next one what failed. With [CellReady] the child says on that one that
// it may be given the plan: the kernel ends it from then on when we are gone.
const (
	CellFD    = "PWPIPE_CELL"
	CellReady = 'r'
)

// Cell is what a process does to itself before it becomes another program.
// What it all means is known to package nodesandbox; here it is carried out.
type Cell struct {
	Dir, Program string
	Args, Env    []string
	Files        int // descriptors that the program gets, 0 to Files-1

	Limits   []Limit
	Nice     int
	Landlock string    // struct landlock_ruleset_attr, "" to do without
	Beneath  []Beneath // its rules
	Filter   string    // seccomp's, an array of struct sock_filter, "" to do without

	// Becomes is the number of the descriptor by which the program is executed,
	// Execveat the system call's. It is one that no descriptor can have once the
	// limits are set: the filter lets nothing else be executed, and it is closed
	// as it is, so that was the last time.
	Becomes, Execveat int
}

// Limit is a resource limit, soft and hard.
type Limit struct {
	Resource int
	Max      uint64
}

// Beneath is a Landlock rule. One for a path that is not there is left out.
type Beneath struct {
	Path         string
	File, Folder uint64 // rights, by what the path is
}

// Text is the plan as it is handed over: numbers of eight bytes, and texts after
// their length.
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

// parseCell is the other way. ok is false where something is missing, as when
// who writes it is killed.
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

// packer writes, and unpacker reads, with nothing that would have to be
// initialised.
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
