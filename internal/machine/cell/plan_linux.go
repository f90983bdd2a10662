package cell

// FD, in the environment, is the number of the first of two descriptors. The
// process sets up walls as the [Plan] says that it reads from the first, and reports
// failures on the second. There the child also reports with [CanRead] that it can get
// the plan: from then on the kernel ends it when we are gone.
const (
	FD      = "PWPIPE_CELL"
	CanRead = 'r'
)

// Plan is what a process does to itself before it becomes another program. Package
// nodesandbox knows its meaning; this package carries it out.
type Plan struct {
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
func (c *Plan) Text() []byte {
	p := packer{writes: true}
	c.pack(&p)
	return p.bytes
}

// parsePlan decodes a plan. ok is false if something is missing, for example because
// its writer was killed.
func parsePlan(text []byte) (c Plan, ok bool) {
	p := packer{bytes: text}
	c.pack(&p)
	return c, !p.short && len(p.bytes) == 0
}

// pack writes the parts of a plan, or reads them.
func (c *Plan) pack(p *packer) {
	p.text(&c.Dir)
	p.text(&c.Program)
	list(p, &c.Args, p.text)
	list(p, &c.Env, p.text)
	integer(p, &c.Files)
	list(p, &c.Limits, func(l *Limit) {
		integer(p, &l.Resource)
		integer(p, &l.Max)
	})
	integer(p, &c.Nice)
	p.text(&c.Landlock)
	list(p, &c.Beneath, func(b *Beneath) {
		p.text(&b.Path)
		integer(p, &b.File)
		integer(p, &b.Folder)
	})
	p.text(&c.Filter)
	integer(p, &c.Becomes)
	integer(p, &c.Execveat)
}

// packer appends to bytes, or takes from their beginning, without anything that needs initialisation.
type packer struct {
	bytes  []byte
	writes bool
	short  bool // there were fewer bytes than were to be read
}

func integer[T int | uint64](p *packer, n *T) {
	if p.writes {
		for shift := 56; shift >= 0; shift -= 8 {
			p.bytes = append(p.bytes, byte(uint64(*n)>>shift))
		}
		return
	}
	*n = 0
	for _, b := range p.take(8) {
		*n = *n<<8 | T(b)
	}
}

func (p *packer) text(s *string) {
	size := len(*s)
	if integer(p, &size); p.writes {
		p.bytes = append(p.bytes, *s...)
		return
	}
	*s = string(p.take(size))
}

func list[T any](p *packer, l *[]T, each func(*T)) {
	size := len(*l)
	integer(p, &size)
	for i := 0; i != size && !p.short; i++ {
		if !p.writes {
			*l = append(*l, *new(T))
		}
		each(&(*l)[i])
	}
}

func (p *packer) take(n int) []byte {
	if n < 0 || n > len(p.bytes) {
		p.short, p.bytes = true, nil
		return nil
	}
	b := p.bytes[:n]
	p.bytes = p.bytes[n:]
	return b
}
