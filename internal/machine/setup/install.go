package setup

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"pwpipe/internal/machine/writefile"
)

// install fetches a release and puts it in place. The rename at the end is what
// makes it exist: a run that is killed before leaves only a .tmp- folder.
func (s *setup) install(ctx context.Context, r release) (*manifest, error) {
	if err := s.makeCache(); err != nil {
		return nil, err
	}
	unlock, err := s.lock(ctx, s.out)
	if err != nil {
		return nil, err
	}
	defer unlock()
	m, err := checkInstall(s.dir(r), r) // another run may have done it while we waited
	if err == nil {
		return m, nil
	}
	if isDamaged(err) {
		s.out.say("%s %s is %s; fetching it again", r.Title, r.Version, reason(err))
	}
	if err := s.checkSpace(r); err != nil {
		return nil, err
	}
	tmp, err := os.MkdirTemp(s.root, tempPrefix)
	if err != nil {
		return nil, s.explain(err)
	}
	defer os.RemoveAll(tmp)
	if m, err = s.build(ctx, r, tmp); err != nil {
		return nil, s.explain(err)
	}
	return m, s.explain(s.place(filepath.Join(tmp, "out"), r))
}

// build fetches, checks and unpacks a release in tmp/out, ready to be renamed.
func (s *setup) build(ctx context.Context, r release, tmp string) (*manifest, error) {
	tgz, err := s.fetch(ctx, r, tmp)
	if err != nil {
		return nil, err
	}
	out := filepath.Join(tmp, "out")
	if err := os.Mkdir(out, 0o755); err != nil {
		return nil, err
	}
	began := time.Now()
	unpack := r.unpack
	if unpack == nil {
		unpack = unpackPlain
	}
	if err := unpack(ctx, tgz, out); err != nil {
		return nil, errorf("cannot unpack %s %s: %w; try again, and `pwpipe doctor` if it stays", r.Title, r.Version, err)
	}
	os.Remove(tgz)
	m := &manifest{Name: r.Name, Version: r.Version, Integrity: r.Integrity, Detail: r.Version}
	if r.verify != nil {
		if m.Detail, err = r.verify(ctx, out); err != nil {
			return nil, err
		}
	}
	if err := m.write(out); err != nil {
		return nil, err
	}
	s.out.say("unpacked %s %s in %.1f s", r.Title, r.Version, time.Since(began).Seconds())
	return m, nil
}

// place renames built to the final place. A damaged install there is moved
// aside first; a sound one, put there by a run that no lock could hold back,
// stays.
func (c cache) place(built string, r release) error {
	dir := c.dir(r)
	for range 3 {
		err := writefile.Move(built, dir)
		if err == nil {
			return syncDir(c.root)
		}
		if _, cerr := checkInstall(dir, r); cerr == nil {
			return nil
		}
		aside, merr := os.MkdirTemp(c.root, tempPrefix)
		if merr != nil {
			return merr
		}
		defer os.RemoveAll(aside)
		if rerr := writefile.Move(dir, filepath.Join(aside, "old")); rerr != nil {
			return errorf("cannot put %s in place: %w; remove %s and try again", r.Title, rootCause(err), dir)
		}
	}
	return errorf("cannot put %s in place; remove %s and try again", r.Title, dir)
}
