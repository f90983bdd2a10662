package browser

import "maps"

// A Setting is what whoever starts pwpipe gives a feature: a value of a [Config] that the
// browser carries and does not know. It is a variable of the feature's package.
type Setting[T any] struct{ _ byte } // with a size, so that each has an address of its own

// Set gives a configuration the value. Configurations that were copied from it keep theirs.
func (s *Setting[T]) Set(c *Config, value T) {
	c.settings = maps.Clone(c.settings)
	if c.settings == nil {
		c.settings = map[any]any{}
	}
	c.settings[s] = value
}

// Of is the value that a configuration was given, T's zero value for none.
func (s *Setting[T]) Of(c Config) T {
	value, _ := c.settings[s].(T)
	return value
}
