package devtools

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/go-sourcemap/sourcemap"
)

// sourceMaps turns places in bundles into places in what they were made of.
type sourceMaps struct {
	page   *Page
	loaded map[string]*scriptMap // by the script's URL
}

type scriptMap struct {
	consumer *sourcemap.Consumer // nil: the script has no map that can be read
}

// original is the place in the source, or the one in the script where there is
// no map.
func (m *sourceMaps) original(ctx context.Context, at Location) (file string, line, column int) {
	s, ok := m.loaded[at.URL]
	if !ok {
		s = &scriptMap{}
		if c, err := m.load(ctx, at.URL); err == nil {
			s.consumer = c
		}
		m.loaded[at.URL] = s
	}
	if s.consumer != nil {
		if file, _, line, column, ok := s.consumer.Source(at.Line, at.Column-1); ok {
			return sourceName(file), line, column + 1
		}
	}
	return at.URL, at.Line, at.Column
}

// sourceName is a source as people name it: without the ways of bundlers to
// write where it was.
func sourceName(file string) string {
	if rest, ok := strings.CutPrefix(file, "webpack://"); ok {
		if _, path, ok := strings.Cut(rest, "/"); ok {
			file = path
		}
	}
	for {
		rest, ok := strings.CutPrefix(file, "../")
		if !ok {
			rest, ok = strings.CutPrefix(file, "./")
		}
		if !ok {
			return file
		}
		file = rest
	}
}

var sourceMapComment = regexp.MustCompile(`(?m)^\s*//[#@] sourceMappingURL=(\S+)\s*$`)

// load reads the source map that a script names.
func (m *sourceMaps) load(ctx context.Context, script string) (*sourcemap.Consumer, error) {
	text, err := m.page.load(ctx, script)
	if err != nil {
		return nil, err
	}
	found := sourceMapComment.FindAllStringSubmatch(text, -1)
	if len(found) == 0 {
		return nil, fmt.Errorf("%s names no source map", short(script))
	}
	name := found[len(found)-1][1]
	raw, err := m.read(ctx, script, name)
	if err != nil {
		return nil, err
	}
	return sourcemap.Parse("", raw)
}

// read reads a source map: from a data URL, or from beside its script.
func (m *sourceMaps) read(ctx context.Context, script, name string) ([]byte, error) {
	if head, data, ok := strings.Cut(name, ","); ok && strings.HasPrefix(head, "data:") {
		if strings.HasSuffix(head, ";base64") {
			return base64.StdEncoding.DecodeString(data)
		}
		text, err := url.PathUnescape(data)
		return []byte(text), err
	}
	base, err := url.Parse(script)
	if err != nil {
		return nil, err
	}
	full, err := base.Parse(name)
	if err != nil {
		return nil, err
	}
	text, err := m.page.load(ctx, full.String())
	return []byte(text), err
}

// maxResource bounds what is loaded, in bytes.
const maxResource = 64 << 20

// load reads a resource as the page's own network does, whatever the page's
// policies for its scripts: Network.loadNetworkResource, IO.read.
func (p *Page) load(ctx context.Context, address string) (string, error) {
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
	defer func() { go func() { _, _ = p.session.Send("IO.close", map[string]any{"handle": r.Stream}) }() }()
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
		if part.Base64Encoded {
			raw, err := base64.StdEncoding.DecodeString(part.Data)
			if err != nil {
				return "", err
			}
			part.Data = string(raw)
		}
		text.WriteString(part.Data)
		if part.EOF {
			return text.String(), nil
		}
	}
	return "", fmt.Errorf("it is larger than %d MiB", maxResource>>20)
}
