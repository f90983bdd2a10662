package read

import (
	"bytes"
	"net/url"
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
	sel := string(in.Sel)
	if in.Sel != "" {
		var part string
		err := c.Attempt(sel, func(timeout *float64) error {
			v, err := tool.Frame(c.Page).Locator(sel).First().Evaluate("el => el.outerHTML", nil, playwright.LocatorEvaluateOptions{Timeout: timeout})
			part, _ = v.(string)
			return err
		})
		if err == nil {
			err = boundHTML(part)
		}
		if err != nil {
			return "", err
		}
		return toMarkdown(part, tool.Frame(c.Page).URL())
	}
	text, err := tool.Frame(c.Page).Content()
	if err != nil {
		return "", c.Fail(err, "")
	}
	if err := boundHTML(text); err != nil {
		return "", err
	}
	if !in.Whole {
		if main, ok := mainContent(text, tool.Frame(c.Page).URL()); ok {
			return main, nil
		}
	}
	return toMarkdown(text, tool.Frame(c.Page).URL())
}

// longestHTML is the largest HTML to convert, in bytes: parsing takes many times that.
const longestHTML = 8 << 20

func boundHTML(text string) error {
	if len(text) > longestHTML {
		return provider.Errorf(provider.KindFailed, "the HTML has %d MiB, and the limit for Markdown is %d", len(text)>>20, longestHTML>>20).
			WithHint("give sel to read a part of the page")
	}
	return nil
}

// mainContent finds the main content. It reports false if nothing stands out, as in a
// form or a shop window.
func mainContent(text, at string) (string, bool) {
	base, err := url.Parse(at)
	if err != nil {
		base = nil
	}
	article, err := readability.FromReader(strings.NewReader(text), base)
	if err != nil || article.Node == nil || article.Length < 200 {
		return "", false
	}
	var b bytes.Buffer
	if html.Render(&b, article.Node) != nil {
		return "", false
	}
	md, err := toMarkdown(b.String(), at)
	if err != nil || md == "" {
		return "", false
	}
	if article.Title != "" && !strings.HasPrefix(md, "# ") {
		md = "# " + article.Title + "\n\n" + md
	}
	return md, true
}

var markdownConverter = converter.NewConverter(converter.WithPlugins(
	base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(), strikethrough.NewStrikethroughPlugin(), mdtable.NewTablePlugin()))

// toMarkdown converts HTML; links and pictures get absolute addresses.
func toMarkdown(text, at string) (string, error) {
	var domain string
	if u, err := url.Parse(at); err == nil && u.Host != "" {
		domain = u.Scheme + "://" + u.Host
	}
	md, err := markdownConverter.ConvertString(text, converter.WithDomain(domain))
	if err != nil {
		return "", provider.Errorf(provider.KindFailed, "turning the page into Markdown: %w", err)
	}
	return strings.TrimSpace(md), nil
}
