package perftrace

import (
	"fmt"
	"strings"
	"unicode"

	"pwpipe/internal/text/secrets"
)

// short makes a text of the page one short line.
func (s *summary) short(text string) string {
	if s.mask != nil {
		text = s.mask(text)
	}
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, text)
	return secrets.Shorten(text, maxURL)
}

// Text is the summary, a line each.
func (s *Summary) Text() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	if s.URL != "" {
		line("%.0f ms traced, navigated to %s", s.Duration, s.URL)
	} else {
		line("%.0f ms traced, without a navigation", s.Duration)
	}
	if l := s.LCP; l != nil {
		line("LCP %.1f ms: %s %s", l.At, l.Node, l.URL)
		if l.URL != "" {
			line("  first byte %.1f ms, then until it was requested %.1f, loaded in %.1f, painted after %.1f",
				l.TTFB, l.LoadDelay, l.Load, l.AfterThat)
		} else {
			line("  first byte %.1f ms, painted after %.1f", l.TTFB, l.AfterThat)
		}
	}
	line("CLS %.4f", s.CLS)
	line("main thread: %s", parts(s.Kinds))
	line("style %d times, %.1f ms, longest %.1f; layout %d times, %.1f ms, longest %.1f",
		s.Styles.Count, s.Styles.MS, s.Styles.Longest, s.Layouts.Count, s.Layouts.MS, s.Layouts.Longest)
	line("%d long tasks, %.1f ms over 50 ms each", s.LongTasks, s.Blocking)
	for _, t := range s.Tasks {
		line("  %.1f ms at %.1f: %s", t.MS, t.At, parts(t.Parts))
	}
	list(&b, "scripts that took most", s.Scripts)
	list(&b, "styles and layouts that scripts forced", s.Forced)
	if len(s.Requests) > 0 {
		line("requests that the first paint waited for")
		for _, r := range s.Requests {
			line("  %.1f ms at %.1f: %s %s", r.MS, r.At, strings.ToLower(r.Type), r.URL)
		}
		if s.MoreBlocks > 0 {
			line("  and %d others", s.MoreBlocks)
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

func parts(list []Part) string {
	if len(list) == 0 {
		return "nothing that is known"
	}
	var texts []string
	for _, p := range list {
		texts = append(texts, fmt.Sprintf("%s %.1f ms", p.Name, p.MS))
	}
	return strings.Join(texts, ", ")
}

func list(b *strings.Builder, title string, list []Part) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintln(b, title)
	for _, p := range list {
		fmt.Fprintf(b, "  %.1f ms, %d times: %s\n", p.MS, p.Count, p.Name)
	}
}
