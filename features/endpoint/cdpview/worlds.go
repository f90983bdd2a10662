package cdpview

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
)

// worlds decide in which execution contexts (realms) a client may work. Playwright takes
// isolated worlds of one name for one world, whoever made them: a client with its own
// Playwright would work in the driver's world, and the driver in the client's. So the
// client's world has another name in the browser, and the client does not hear about the
// driver's. In lent tabs a client works in its own worlds, and in documents of the web.
type worlds struct {
	driver string // the name of the driver's isolated world; "" if the client may have it
	shared *SharedBrowser
	url    func(target string) string // where a page is: called with the lock held
	say    func(message)

	mu    sync.Mutex
	names map[string]bool // worlds that the client has made, as the browser calls them
	own   string          // the client's name in place of the driver's, "" until it is needed
}

// nameWorld is the rule of a param that names an isolated world.
func nameWorld(name string) rule {
	return with(name, func(c *command, world string) error {
		if world != "" && world == c.o.World {
			world = c.worlds.ownName()
			c.set(name, world)
		}
		if name == "worldName" && c.session.lent {
			return c.allowWorld(world)
		}
		return nil
	})
}

// allowWorld lets a client work in the worlds of a name. Such worlds may be there: another
// client may have made them. A session that is not in the list yet sees the name.
func (c *command) allowWorld(name string) error {
	if added, err := c.worlds.allow(name); err != nil || !added {
		return err
	}
	for _, s := range c.targets.where(func(s *session) bool { return s.lent }) {
		c.worlds.reviewRealms(s)
	}
	return nil
}

// allow notes that the client has made a world of that name, and reports whether it is
// the first.
func (w *worlds) allow(name string) (added bool, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.names[name] {
		return false, nil
	}
	if len(w.names) >= maxWorlds {
		return false, fmt.Errorf("over a limit: the client has named %d worlds", maxWorlds)
	}
	w.names[name] = true
	return true, nil
}

// ownName is what the browser calls the world of the client that has the driver's name.
func (w *worlds) ownName() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.own == "" {
		w.own = w.driver + rand.Text()
	}
	return w.own
}

// oursBegin is how the names of pwpipe's other worlds begin.
const oursBegin = "pwpipe "

// renamed is an event about a world, with the name that the world has for the client. It
// is nil for the driver's world and others of pwpipe: clients take a world that they have not
// made for one where they may work.
func (w *worlds) renamed(params json.RawMessage) json.RawMessage {
	if (w.driver == "" || !bytes.Contains(params, []byte(w.driver))) && !bytes.Contains(params, []byte(oursBegin)) {
		return params
	}
	var e, context map[string]json.RawMessage
	var name string
	if json.Unmarshal(params, &e) != nil || json.Unmarshal(e["context"], &context) != nil ||
		json.Unmarshal(context["name"], &name) != nil {
		return params
	}
	switch {
	case strings.HasPrefix(name, oursBegin):
		return nil
	case w.driver == "":
		return params
	case name == w.ownName():
		name = w.driver
	case name == w.driver:
		return nil
	default:
		return params
	}
	context["name"] = encoded(name)
	e["context"] = encoded(context)
	return encoded(e)
}
