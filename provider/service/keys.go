package service

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"

	"pwpipe/internal/shell/thin"
	"pwpipe/provider"
	"pwpipe/provider/internal/rawjson"
)

// Keys are the keys of a file, by team. The file is read again when it changes: a key that
// is gone from it lets nobody in, and ends the connections that it let in.
type Keys struct {
	path string
	// hosts checks the hosts of a team, before the file is taken.
	hosts func([]string) error

	mu    sync.Mutex
	teams []*team
	read  fileState
}

// team is an entry of the file.
type team struct {
	provider.Team
	rate int // requests a minute, 0 for the service's
	keys []*teamKeyOf
}

// teamKeyOf is one key of a team.
type teamKeyOf struct {
	hash [sha256.Size]byte
	good context.Context // ends when the key is gone from the file
	end  context.CancelFunc
}

// fileState tells one state of a file from another.
type fileState struct {
	info os.FileInfo
	size int64
	time time.Time
}

// keysFile is the file: its members have exactly these names.
type keysFile struct {
	Teams []struct {
		Name        string   `json:"name"`
		Keys        []string `json:"keys"`
		MaxSessions int      `json:"max-sessions"`
		Rate        int      `json:"rate"`
		Hosts       []string `json:"hosts"`
	} `json:"teams"`
}

// Bounds of the file.
const (
	maxTeams    = 500
	maxTeamKeys = 4
	maxHosts    = 200
	maxTeamRate = 1_000_000
	keysEvery   = time.Second // so often it is looked at
	hashPrefix  = "sha256:"
)

// CheckTeamName is the error of a name that no team may have.
func CheckTeamName(name string) error {
	if !teamName.MatchString(name) {
		return fmt.Errorf("name: expected up to 32 of a-z 0-9 - _ ., got %q", name)
	}
	return nil
}

var teamName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,31}$`)

// ReadKeys reads a file of keys. hosts checks the hosts that a team's pages may reach.
func ReadKeys(path string, hosts func([]string) error) (*Keys, error) {
	k := &Keys{path: path, hosts: hosts}
	if err := k.again(); err != nil {
		return nil, fmt.Errorf("--keys: %w", err)
	}
	return k, nil
}

// NewKey makes a key, and the text that stands for it in the file.
func NewKey() (key, hash string) {
	key = "pw_" + rand.Text()
	sum := sha256.Sum256([]byte(key))
	return key, hashPrefix + hex.EncodeToString(sum[:])
}

// again reads the file, if it is not as it was read last. An error leaves all as it is.
func (k *Keys) again() error {
	info, err := os.Stat(k.path)
	if err != nil {
		return err
	}
	now := fileState{info, info.Size(), info.ModTime()}
	k.mu.Lock()
	was := k.read
	k.mu.Unlock()
	if was.info != nil && os.SameFile(was.info, info) && was.size == now.size && was.time.Equal(now.time) {
		return nil
	}
	k.mu.Lock()
	k.read = now // an error is reported once
	k.mu.Unlock()
	text, err := thin.ReadSettings(k.path)
	if err != nil {
		return err
	}
	teams, err := k.parse(text)
	if err != nil {
		return fmt.Errorf("%s: %w", k.path, err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	kept := map[string]*teamKeyOf{} // by team and hash
	for _, t := range k.teams {
		for _, key := range t.keys {
			kept[t.Name+" "+string(key.hash[:])] = key
		}
	}
	for _, t := range teams {
		for i, key := range t.keys {
			id := t.Name + " " + string(key.hash[:])
			if old := kept[id]; old != nil {
				t.keys[i] = old
				delete(kept, id)
				continue
			}
			key.good, key.end = context.WithCancel(context.Background())
		}
	}
	k.teams = teams
	for _, gone := range kept {
		gone.end()
	}
	return nil
}

func (k *Keys) parse(text []byte) (teams []*team, err error) {
	if err := rawjson.Check(text); err != nil {
		return nil, err
	}
	var f keysFile
	if err := json.Unmarshal(text, &f, json.RejectUnknownMembers(true)); err != nil {
		return nil, errors.New(strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	if len(f.Teams) == 0 || len(f.Teams) > maxTeams {
		return nil, fmt.Errorf("teams: expected 1 to %d, got %d", maxTeams, len(f.Teams))
	}
	names, hashes := map[string]bool{}, map[string]bool{}
	for i, in := range f.Teams {
		at := fmt.Sprintf("teams[%d]", i)
		switch {
		case CheckTeamName(in.Name) != nil:
			return nil, fmt.Errorf("%s: %w", at, CheckTeamName(in.Name))
		case names[in.Name]:
			return nil, fmt.Errorf("%s: there is another team %s", at, in.Name)
		case len(in.Keys) == 0 || len(in.Keys) > maxTeamKeys:
			return nil, fmt.Errorf("team %s: keys: expected 1 to %d, got %d", in.Name, maxTeamKeys, len(in.Keys))
		case in.MaxSessions < 0:
			return nil, fmt.Errorf("team %s: max-sessions: expected a number from 0", in.Name)
		case in.Rate < 0 || in.Rate > maxTeamRate:
			return nil, fmt.Errorf("team %s: rate: expected requests a minute, 0 to %d", in.Name, maxTeamRate)
		case len(in.Hosts) > maxHosts:
			return nil, fmt.Errorf("team %s: hosts: at most %d", in.Name, maxHosts)
		}
		if in.Hosts != nil {
			if err := k.hosts(in.Hosts); err != nil {
				return nil, fmt.Errorf("team %s: hosts: %w", in.Name, err)
			}
		}
		names[in.Name] = true
		t := &team{Team: provider.Team{Name: in.Name, MaxSessions: in.MaxSessions, Hosts: in.Hosts}, rate: in.Rate}
		for _, text := range in.Keys {
			digits, ok := strings.CutPrefix(text, hashPrefix)
			sum, err := hex.DecodeString(digits)
			if !ok || err != nil || len(sum) != sha256.Size {
				return nil, fmt.Errorf("team %s: keys: expected %s and 64 hexadecimal digits, "+
					"as `pwpipe serve --new-key` prints", in.Name, hashPrefix)
			}
			if hashes[string(sum)] {
				return nil, fmt.Errorf("team %s: keys: a key stands there twice", in.Name)
			}
			hashes[string(sum)] = true
			t.keys = append(t.keys, &teamKeyOf{hash: [sha256.Size]byte(sum)})
		}
		teams = append(teams, t)
	}
	return teams, nil
}

// find is the team of a key, nil for none. It compares with each key, whichever it is.
func (k *Keys) find(key string) (found *team, its *teamKeyOf) {
	sum := sha256.Sum256([]byte(key))
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, t := range k.teams {
		for _, own := range t.keys {
			if subtle.ConstantTimeCompare(sum[:], own.hash[:]) == 1 {
				found, its = t, own
			}
		}
	}
	return found, its
}

// named is the team of a name, nil for none.
func (k *Keys) named(name string) *team {
	k.mu.Lock()
	defer k.mu.Unlock()
	if i := slices.IndexFunc(k.teams, func(t *team) bool { return t.Name == name }); i >= 0 {
		return k.teams[i]
	}
	return nil
}

// watch reads the file again when it changes, until ctx ends.
func (k *Keys) watch(ctx context.Context, log *slog.Logger) {
	tick := time.NewTicker(keysEvery)
	defer tick.Stop()
	said := ""
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		before := k.state()
		err := k.again()
		switch {
		case err != nil && err.Error() != said:
			said = err.Error()
			log.Error("the file of keys can't be taken; the keys that were read before hold", "error", err)
		case err == nil && !before.time.Equal(k.state().time):
			said = ""
			log.Info("the file of keys was read again", "teams", k.count())
		}
	}
}

func (k *Keys) state() fileState {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.read
}

func (k *Keys) count() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.teams)
}

// byTeam limits the requests of each team, and elsewhere those of each address.
type byTeam struct {
	of       limiter
	mu       sync.Mutex
	limiters map[int]limiter // by their limit
}

// limiterOf is the limiter of a request.
func (b *byTeam) limiterOf(r *http.Request, keys *Keys) limiter {
	name := provider.TeamFrom(r.Context()).Name
	if keys == nil || name == "" {
		return b.of
	}
	limit := b.of.limit
	if t := keys.named(name); t != nil && t.rate > 0 {
		limit = t.rate
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	l, ok := b.limiters[limit]
	if !ok {
		l = newTeamLimiter(limit)
		if b.limiters == nil {
			b.limiters = map[int]limiter{}
		}
		b.limiters[limit] = l
	}
	return l
}
