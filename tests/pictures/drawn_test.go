package pictures

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// colours of a drawing, for pages that are light or dark.
type colours struct{ ink, soft, line, paper, lead, bar string }

var looks = map[string]colours{
	"":      {"#1d2220", "#5a635f", "#cfd4d0", "#f6f6f3", "#1f6f5c", "#a9b3ae"},
	"-dark": {"#e8ebe9", "#a3ada8", "#454d4a", "#1c201e", "#7fd0b9", "#56615c"},
}

// drawing is an SVG of words, boxes, bars and arrows.
type drawing struct {
	strings.Builder
	colours
}

func (d *drawing) word(x, y float64, size int, fill, more, text string) {
	fmt.Fprintf(d, `<text x="%g" y="%g" font-size="%d" fill="%s"%s>%s</text>`+"\n", x, y, size, fill, more, html.EscapeString(text))
}

func (d *drawing) box(x, y, w, h float64, fill, stroke string) {
	fmt.Fprintf(d, `<rect x="%g" y="%g" width="%g" height="%g" rx="6" fill="%s" stroke="%s"/>`+"\n", x, y, w, h, fill, stroke)
}

func (d *drawing) arrow(x1, y1, x2, y2 float64, dashed bool) {
	dash := ""
	if dashed {
		dash = ` stroke-dasharray="4 4"`
	}
	fmt.Fprintf(d, `<line x1="%g" y1="%g" x2="%g" y2="%g" stroke="%s" stroke-width="1.5" marker-end="url(#a)"%s/>`+"\n", x1, y1, x2, y2, d.soft, dash)
}

// TestDrawn: the drawings of speed and doors follow from docs/speed.md and README.md.
func TestDrawn(t *testing.T) {
	for suffix, c := range looks {
		for name, draw := range map[string]func(*testing.T, *drawing) (w, h int){"speed": drawSpeed, "doors": drawDoors} {
			d := &drawing{colours: c}
			w, h := draw(t, d)
			pipetest.Golden(t, filepath.Join(images, name+suffix+".svg"), fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="system-ui, sans-serif">
<defs><marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="%s"/></marker></defs>
`, w, h, w, h, c.soft)+d.String()+"</svg>\n")
		}
	}
}

// drawSpeed draws rows of the table of docs/speed.md, each with bars of its own scale.
func drawSpeed(t *testing.T, d *drawing) (w, h int) {
	text, err := os.ReadFile("../../docs/speed.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "<!-- bench -->\n")
	head, rest, _ := strings.Cut(rest, "\n")
	servers := cells(head)[1:]
	y := 20.0
	for row := range strings.Lines(rest) {
		values := cells(row)
		if len(values) != len(servers)+1 || !strings.HasPrefix(values[0], "start") && values[0] != "`nav`" && values[0] != "`click`" && values[0] != "`txt`" {
			continue
		}
		times := make([]float64, len(servers))
		longest := 0.0
		for i, v := range values[1:] {
			v, _, _ = strings.Cut(v, " ") // of the range that follows
			values[1+i] = v
			if times[i], err = strconv.ParseFloat(v, 64); err != nil {
				t.Fatal(err)
			}
			longest = max(longest, times[i])
		}
		d.word(0, y, 15, d.ink, ` font-weight="600"`, strings.ReplaceAll(values[0], "`", ""))
		for i, server := range servers {
			y += 22
			fill, ink := d.bar, d.soft
			if server == "pwpipe" {
				fill, ink = d.lead, d.ink
			}
			width := max(2, times[i]/longest*440)
			d.word(170, y, 13, ink, ` text-anchor="end"`, server)
			fmt.Fprintf(d, `<rect x="180" y="%g" width="%.1f" height="14" rx="2" fill="%s"/>`+"\n", y-11.5, width, fill)
			d.word(188+width, y, 13, ink, "", values[1+i]+" ms")
		}
		y += 38
	}
	return 720, int(y) - 20
}

// cells are the cells of a row of a Markdown table.
func cells(row string) (list []string) {
	for _, cell := range strings.Split(strings.Trim(strings.TrimSpace(row), "|"), "|") {
		list = append(list, strings.TrimSpace(cell))
	}
	return list
}

// drawDoors draws the four doors with the first command of each, as the README has it, and what
// is behind them.
func drawDoors(t *testing.T, d *drawing) (w, h int) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for i, door := range []struct{ name, command string }{
		{"Your program", "| pwpipe --site"},
		{"A shell", "pwpipe open --site /login"},
		{"An MCP host", "pwpipe mcp install --for claude-code -- --profile agent"},
		{"Fifty agents", "pwpipe serve --max-contexts 50"},
	} {
		if !strings.Contains(string(readme), "**"+door.name+"**") || !strings.Contains(string(readme), door.command) {
			t.Errorf("the README does not have %s with %s", door.name, door.command)
		}
		y := 10 + float64(i)*64
		d.box(10, y, 400, 52, d.paper, d.line)
		d.word(24, y+21, 15, d.ink, ` font-weight="600"`, door.name)
		d.word(24, y+41, 11, d.soft, ` font-family="ui-monospace, monospace"`, door.command)
		d.arrow(412, y+26, 468, 116+12*float64(i), false)
	}
	d.box(470, 102, 90, 64, d.lead, d.lead)
	d.word(515, 139, 16, d.paper, ` text-anchor="middle" font-weight="600"`, "pwpipe")
	d.box(650, 30, 180, 52, d.paper, d.line)
	d.word(740, 61, 15, d.ink, ` text-anchor="middle" font-weight="600"`, "Chromium")
	d.box(650, 186, 180, 52, d.paper, d.line)
	d.word(740, 217, 15, d.ink, ` text-anchor="middle" font-weight="600"`, "Playwright's driver")
	d.arrow(562, 120, 648, 66, false)
	d.arrow(562, 148, 648, 202, true)
	d.arrow(740, 184, 740, 86, true)
	d.word(572, 66, 11, d.soft, ` text-anchor="middle"`, "read, fill, click, picture")
	d.word(572, 208, 11, d.soft, ` text-anchor="middle"`, "all else, and doubts")
	return 840, 268
}
