package cdpview

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
)

// Playwright takes isolated worlds of one name for one, whoever made them. A client
// that brings its own would work in the driver's, and the driver in the client's: so
// a client's has another name in the browser, and the driver's is none for the client.

// inWorld is the rule of a param that names an isolated world.
func inWorld(name string, rest rule) rule {
	return func(c *command) error {
		world, err := param[string](c, name)
		if err != nil {
			return err
		}
		if world != "" && world == c.o.World {
			world = c.browser.world()
			c.set(name, world)
		}
		if name == "worldName" {
			if err := c.names(world); err != nil {
				return err
			}
		}
		if rest == nil {
			return nil
		}
		return rest(c)
	}
}

// names notes that the client has made a world of that name.
func (c *command) names(world string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.session.lent || c.worlds[world] {
		return nil
	}
	if len(c.worlds) >= maxWorlds {
		return fmt.Errorf("over a limit: the client has named %d worlds", maxWorlds)
	}
	c.worlds[world] = true
	for _, s := range c.sessions { // it may be there, made by another client
		if s.lent {
			c.retell(s)
		}
	}
	return nil
}

// world is what the client's world is called in the browser.
func (b *browser) world() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ownWorld == "" {
		b.ownWorld = b.o.World + rand.Text()
	}
	return b.ownWorld
}

// worldOf tells of a world by the name that it has for the client, nil of the driver's:
// clients take one that they have not made for one where they may work.
func (b *browser) worldOf(params json.RawMessage) json.RawMessage {
	if b.o.World == "" || !bytes.Contains(params, []byte(b.o.World)) {
		return params
	}
	var e, context map[string]json.RawMessage
	var name string
	if json.Unmarshal(params, &e) != nil || json.Unmarshal(e["context"], &context) != nil || json.Unmarshal(context["name"], &name) != nil {
		return params
	}
	switch name {
	case b.world():
		name = b.o.World
	case b.o.World:
		return nil
	default:
		return params
	}
	context["name"] = encoded(name)
	e["context"] = encoded(context)
	text := encoded(e)
	return text
}
