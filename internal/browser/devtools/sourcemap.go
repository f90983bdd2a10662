package devtools

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/url"
	"path"
	"strings"
	"sync"

	"github.com/go-sourcemap/sourcemap"
)

// sourceMaps maps places in bundles to places in their sources.
type sourceMaps struct {
	page   *Page
	mu     sync.Mutex
	loaded map[string]*sourceMap // by the script's URL; nil: it has none that can be read
}

type sourceMap struct {
	*sourcemap.Consumer
	dir string // the folder of the map's URL, to which sources are relative
}

func (p *Page) sourceMaps() *sourceMaps {
	return &sourceMaps{page: p, loaded: map[string]*sourceMap{}}
}

// original is the place in the source, false without a map. name is the address of the
// map that the script gives; for "" the script itself is read for it.
func (m *sourceMaps) original(ctx context.Context, at Location, name string) (file string, line, column int, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c, tried := m.loaded[at.URL]
	if !tried {
		c, _ = m.load(ctx, at.URL, name) // a map is optional
		if ctx.Err() == nil {
			m.loaded[at.URL] = c
		}
	}
	if c == nil {
		return "", 0, 0, false
	}
	file, _, line, column, ok = c.Source(at.Line, at.Column-1)
	return c.name(file), line, column + 1, ok
}

// forget drops the maps of a document that is gone.
func (m *sourceMaps) forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	clear(m.loaded)
}

// name is a source's usual name: from the site's root, and without bundlers' prefixes.
func (m *sourceMap) name(file string) string {
	if rest, ok := strings.CutPrefix(file, "webpack://"); ok {
		if _, inside, ok := strings.Cut(rest, "/"); ok {
			file = inside
		}
		return strings.TrimPrefix(path.Clean("/"+file), "/")
	}
	if strings.HasPrefix(file, "/") || strings.Contains(file, ":") { // a full path, or an address
		return file
	}
	return strings.TrimPrefix(path.Join("/", m.dir, file), "/")
}

// load reads the source map of a script.
func (m *sourceMaps) load(ctx context.Context, script, name string) (*sourceMap, error) {
	if name == "" {
		var err error
		if name, err = m.named(ctx, script); err != nil {
			return nil, err
		}
	}
	at, err := url.Parse(script)
	if err != nil {
		return nil, err
	}
	var text string
	if strings.HasPrefix(name, "data:") {
		text, err = dataURL(name)
	} else if at, err = at.Parse(name); err == nil {
		text, err = m.page.load(ctx, at.String())
	}
	if err != nil {
		return nil, err
	}
	c, err := sourcemap.Parse("", []byte(text))
	if err != nil {
		return nil, err
	}
	return &sourceMap{c, path.Dir(at.Path)}, nil
}

// named reads a script for the address of its source map.
func (m *sourceMaps) named(ctx context.Context, script string) (string, error) {
	text, err := m.page.load(ctx, script)
	if err != nil {
		return "", err
	}
	const comment = "# sourceMappingURL="
	at := strings.LastIndex(text, comment) // an expression would search megabytes
	if at < 0 {
		return "", fmt.Errorf("%s names no source map", short(script))
	}
	line, _, _ := strings.Cut(text[at+len(comment):], "\n")
	return strings.TrimSpace(line), nil
}

func dataURL(address string) (string, error) {
	head, data, _ := strings.Cut(address, ",")
	if !strings.HasSuffix(head, ";base64") {
		return url.PathUnescape(data)
	}
	return decoded(data, true)
}

// decoded is a text of the protocol, which may come in base64.
func decoded(text string, inBase64 bool) (string, error) {
	if !inBase64 {
		return text, nil
	}
	raw, err := base64.StdEncoding.DecodeString(text)
	return string(raw), err
}

// maxResource bounds a loaded resource, in bytes.
const maxResource = 64 << 20

// load reads a resource as the page's own network does, regardless of the page's
// policies for its scripts: Network.loadNetworkResource, IO.read.
func (p *Page) load(ctx context.Context, address string) (string, error) {
	if !strings.HasPrefix(address, "http://") && !strings.HasPrefix(address, "https://") {
		return "", fmt.Errorf("%s is not an http or https URL", address)
	}
	if p.MayLoad != nil {
		if err := p.MayLoad(address); err != nil {
			return "", err
		}
	}
	var tree struct {
		FrameTree struct{ Frame struct{ ID string } }
	}
	if err := p.call(ctx, "Page.getFrameTree", nil, &tree); err != nil {
		return "", err
	}
	var reply struct {
		Resource struct {
			Success        bool
			NetErrorName   string
			HTTPStatusCode float64
			Stream         string
		}
	}
	if err := p.call(ctx, "Network.loadNetworkResource", map[string]any{"frameId": tree.FrameTree.Frame.ID, "url": address,
		"options": map[string]any{"disableCache": false, "includeCredentials": true}}, &reply); err != nil {
		return "", err
	}
	r := reply.Resource
	if !r.Success || r.Stream == "" {
		return "", fmt.Errorf("%s was not loaded: %s %.0f", address, r.NetErrorName, r.HTTPStatusCode)
	}
	defer p.release("IO.close", map[string]any{"handle": r.Stream})
	return p.drain(ctx, r.Stream)
}

// drain reads a stream of DevTools to its end.
func (p *Page) drain(ctx context.Context, stream string) (string, error) {
	var text strings.Builder
	for text.Len() < maxResource {
		var part struct {
			Data               string
			Base64Encoded, EOF bool
		}
		if err := p.call(ctx, "IO.read", map[string]any{"handle": stream, "size": 1 << 20}, &part); err != nil {
			return "", err
		}
		data, err := decoded(part.Data, part.Base64Encoded)
		if err != nil {
			return "", err
		}
		text.WriteString(data)
		if part.EOF {
			return text.String(), nil
		}
	}
	return "", fmt.Errorf("it is larger than %d MiB", maxResource>>20)
}
