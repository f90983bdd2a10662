package read

import (
	"context"
	"errors"
	"strings"
	"time"

	"codeberg.org/readeck/go-readability"
	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/strikethrough"
	mdtable "github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"github.com/playwright-community/playwright-go"
	"golang.org/x/net/html"

	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// MarkdownTools write pages as Markdown.
func MarkdownTools() []*provider.Tool {
	return []*provider.Tool{
		tool.OnPage(tool.Read.Reads("markdown", "Markdown",
			"Get the page's main content, or an element, as Markdown").Within(10*time.Second), markdown),
	}
}

type markdownParams struct {
	Sel   tool.Selector `json:"sel,omitempty" doc:"selector of a part; nothing for the page's main content"`
	Whole bool          `json:"whole,omitempty" doc:"the whole page rather than its main content"`
}

// markdown converts the current document, after its scripts, to Markdown.
func markdown(c *tool.Call, in markdownParams) (string, error) {
	frame, sel := tool.Frame(c.Page), string(in.Sel)
	var text, at string
	var err error
	if sel != "" {
		err = c.Attempt(sel, func(timeout *float64) error {
			v, err := frame.Locator(sel).First().Evaluate("el => [el.outerHTML, el.baseURI]", nil,
				playwright.LocatorEvaluateOptions{Timeout: timeout})
			if both, ok := v.([]any); ok && len(both) == 2 {
				text, _ = both[0].(string)
				at, _ = both[1].(string)
			}
			return err
		})
	} else if text, err = frame.Content(); err == nil {
		var v any
		v, err = frame.Evaluate("document.baseURI")
		at, _ = v.(string)
	}
	switch {
	case err != nil && sel == "":
		return "", c.Fail(err, "")
	case err != nil:
		return "", err
	}
	return Converted(c.Ctx, text, at, sel == "" && !in.Whole)
}

// converting has room for one conversion: a page that is made to take long has one core at
// most, also after its call has ended.
var converting = make(chan struct{}, 1)

// Converted is HTML as Markdown, or its main content if something stands out. Links are
// resolved against at. It ends with ctx.
func Converted(ctx context.Context, text, at string, main bool) (string, error) {
	if len(text) > LongestHTML {
		return "", tooMuch("the HTML has %d MiB, and the limit for Markdown is %d", len(text)>>20, LongestHTML>>20)
	}
	late := provider.Errorf(provider.KindTimeout, "turning the page into Markdown takes too long").
		WithHint("give sel to read a part of the page")
	select {
	case converting <- struct{}{}:
	case <-ctx.Done():
		return "", late
	}
	type outcome struct {
		text string
		err  error
	}
	done := make(chan outcome, 1)
	go func() {
		defer func() { <-converting }()
		md, err := convert(ctx, text, at, main)
		done <- outcome{md, err}
	}()
	select {
	case o := <-done:
		if ctx.Err() != nil {
			return "", late
		}
		return o.text, o.err
	case <-ctx.Done():
		return "", late
	}
}

func convert(ctx context.Context, text, at string, main bool) (string, error) {
	doc, err := html.Parse(newMetered(ctx, text))
	if errors.Is(err, errGrows) || ctx.Err() != nil {
		return "", tooMuch("the HTML takes more than %d MiB of memory to parse, the limit for Markdown", maxHeap>>20)
	}
	if err != nil {
		return "", tooMuch("elements are nested more than 512 deep, the limit for Markdown")
	}
	if err := bounded(doc); err != nil {
		return "", err
	}
	if err := resolveLinks(doc, at); err != nil {
		return "", err
	}
	if main && readable(doc) {
		if md, ok := mainContent(ctx, doc); ok {
			return md, nil
		}
	}
	return toMarkdown(ctx, doc)
}

// mainContent finds the main content. It reports false if nothing stands out, as in a
// form or a shop window.
func mainContent(ctx context.Context, doc *html.Node) (string, bool) {
	article, err := readability.FromDocument(doc, nil)
	if err != nil || article.Node == nil || article.Length < 200 {
		return "", false
	}
	md, err := toMarkdown(ctx, article.Node)
	if err != nil || md == "" {
		return "", false
	}
	if article.Title != "" && !strings.HasPrefix(md, "# ") {
		md = "# " + article.Title + "\n\n" + md
	}
	return md, true
}

// toMarkdown converts a document; what is left when ctx ends is left out.
func toMarkdown(ctx context.Context, doc *html.Node) (string, error) {
	conv := converter.NewConverter(converter.WithPlugins(
		base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(), strikethrough.NewStrikethroughPlugin(), mdtable.NewTablePlugin()))
	conv.Register.Renderer(func(converter.Context, converter.Writer, *html.Node) converter.RenderStatus {
		if ctx.Err() != nil {
			return converter.RenderSuccess
		}
		return converter.RenderTryNext
	}, converter.PriorityEarly)
	conv.Register.UnEscaper(func(chars []byte, index int) int {
		if ctx.Err() != nil {
			return len(chars) - index
		}
		return -1
	}, converter.PriorityEarly)
	md, err := conv.ConvertNode(doc)
	if err != nil {
		return "", provider.Errorf(provider.KindFailed, "turning the page into Markdown: %w", err)
	}
	return strings.TrimSpace(string(md)), nil
}
