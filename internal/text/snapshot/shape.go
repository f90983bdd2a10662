package snapshot

// measure sets size and hash. The children's are set already.
func (v *view) measure() {
	v.size = 1
	if v.role != "row" && !v.isFlat() {
		for _, k := range v.kids {
			v.size += k.size
		}
	}
	var votes [64]int16
	left := maxFeatures
	v.vote(&votes, fnvBasis, &left)
	v.acted = mixString(fnvBasis, v.role+v.state)
	for _, k := range v.kids {
		if k.acts {
			v.acted = v.acted*31 + spread(mixString(fnvBasis, k.role+k.state))
		}
		if k.acted != 0 && v.role != "row" {
			v.acted = v.acted*31 + k.acted
		}
	}
	if !v.hasControl() {
		v.acted = 0
	}
	v.hash = 0
	for i, n := range votes {
		if n > 0 {
			v.hash |= 1 << i
		}
	}
}

const (
	fnvBasis = 14695981039346656037
	fnvPrime = 1099511628211
)

// vote adds the features of v: the path of roles that leads to it, and its
// states.
func (v *view) vote(votes *[64]int16, path uint64, left *int) {
	if *left == 0 {
		return
	}
	*left--
	role := v.role
	if v.fold != "" {
		role = "fold"
	}
	path = mixString(path, role)
	feature := spread(mixString(path, v.state))
	for i := range votes {
		if feature>>i&1 == 1 {
			votes[i]++
		} else {
			votes[i]--
		}
	}
	for _, k := range v.kids {
		k.vote(votes, path, left)
	}
}

func mixString(h uint64, s string) uint64 {
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * fnvPrime
	}
	return h
}

// spread makes all bits of a hash depend on all: FNV's high bits are weak on
// short strings.
func spread(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}
