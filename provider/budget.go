package provider

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"pwpipe/internal/text/secrets"
	"pwpipe/provider/internal/rawjson"
)

// A request may bound its reply: "max" beside or among the params, in characters, even
// if the tool's schema does not list it. A longer reply is cut, and the rest is kept
// for a while behind a cursor. Results with a schema of their own come whole, unless
// their tool cuts their text with [Cut] and answers the rest's length and the cursor as
// [Piece] does.

// Bounds of the texts behind cursors. The oldest text goes first.
const (
	maxCuts     = 128
	maxCutBytes = 64 << 20
)

// Piece is a part of a reply that exceeds the caller's bound.
type Piece struct {
	Text   string `json:"text" doc:"this part"`
	Cursor string `json:"cursor,omitempty" own:"yes" doc:"what the tool more takes to go on; nothing at the end"`
	Left   int    `json:"left" doc:"characters that follow"`
	JSON   bool   `json:"json,omitempty" doc:"the parts together are JSON text"`
	By     string `json:"-"` // the tool that takes the cursor, "" for more
}

// ForPeople is the piece as a text that says how to get the next one.
func (p Piece) ForPeople() string {
	return p.followedBy("call " + p.taker() + ` with {"cursor":"` + p.Cursor + `"}`)
}

// ForShell is the piece as a text that has the command for the next one.
func (p Piece) ForShell() string {
	return p.followedBy("pwpipe " + p.taker() + " --cursor " + p.Cursor)
}

func (p Piece) followedBy(next string) string {
	if p.Cursor == "" {
		return p.Text
	}
	return p.Text + "\n\n[" + strconv.Itoa(p.Left) + " characters left: " + next + "]"
}

func (p Piece) taker() string { return cmp.Or(p.By, "more") }

// cuts are the texts that were cut. Their names can't be guessed, so a client can't
// read another client's.
type cuts struct {
	mu    sync.Mutex
	texts map[string]cutText
	order []string
	bytes int
}

type cutText struct {
	text string
	json bool
	max  int
}

// limit cuts a result that exceeds the bound of its request.
func (t *Table) limit(tool *Tool, r Request, result Result) Result {
	if tool.Out != nil || isPicture(result.Value) {
		return result
	}
	c, whole := cutText{max: r.Max}, redaction{table: t}.json(result.JSON, tool.shapeOf(result.Value)) // a secret that is cut in two would not be recognised
	if rawjson.TypeOf(whole) != "a string" || json.Unmarshal(whole, &c.text) != nil {
		c.text, c.json = string(whole), true
	}
	if utf8.RuneCountInString(c.text) <= r.Max {
		return result
	}
	p := c.piece(t.cuts.keep(c), 0, r.Max)
	if tool.Has("cursor") {
		p.By = tool.Name
	}
	return Result{JSON: rawjson.Encode(p), Value: p}
}

// isPicture reports whether a result contains pictures, which must not be cut.
func isPicture(value any) bool {
	if c, ok := value.(Content); ok {
		_, pictures := c.Content()
		return len(pictures) > 0
	}
	_, ok := value.(Image)
	return ok
}

// Cut bounds a text within a result; 0 is no bound. ctx is a handler's.
func Cut(ctx context.Context, text string, most int) Piece {
	t := TableOf(ctx)
	if most <= 0 || len(text) <= most || t == nil {
		return Piece{Text: text}
	}
	c := cutText{text: t.MaskText(text), max: most}
	if utf8.RuneCountInString(c.text) <= most {
		return Piece{Text: text}
	}
	return c.piece(t.cuts.keep(c), 0, most)
}

// keep stores a text and names it.
func (k *cuts) keep(c cutText) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.texts == nil {
		k.texts = map[string]cutText{}
	}
	id := strings.ToLower(rand.Text()[:16])
	k.texts[id] = c
	k.order = append(k.order, id)
	k.bytes += len(c.text)
	for len(k.order) > 1 && (len(k.order) > maxCuts || k.bytes > maxCutBytes) {
		k.bytes -= len(k.texts[k.order[0]].text)
		delete(k.texts, k.order[0])
		k.order = k.order[1:]
	}
	return id
}

// piece is the part of at most limit characters from a byte offset on. It prefers to
// end with a line.
func (c cutText) piece(id string, from, limit int) Piece {
	rest := c.text[from:]
	end, n := len(rest), 0
	for i := range rest { // of each character
		if n == limit {
			end = i
			break
		}
		n++
	}
	if end < len(rest) {
		end = lastBreak(rest[:end])
	}
	end = secrets.CutAt(rest, end)
	p := Piece{Text: rest[:end], JSON: c.json}
	if end < len(rest) {
		p.Left = utf8.RuneCountInString(rest[end:])
		p.Cursor = id + "-" + strconv.Itoa(from+end)
	}
	return p
}

// lastBreak is the best place to cut a text: after its last line or word, unless that
// leaves out more than half.
func lastBreak(s string) int {
	for _, at := range []int{strings.LastIndexByte(s, '\n') + 1, strings.LastIndexByte(s, ' ') + 1} {
		if at > len(s)/2 {
			return at
		}
	}
	return len(s)
}

// More returns the next part of a cut reply: at most limit characters, 0 for the length
// of the part before. ctx is a handler's.
func More(ctx context.Context, cursor string, limit int) (Piece, error) {
	t := TableOf(ctx)
	id, from, c, err := t.cuts.at(cursor)
	if err != nil {
		return Piece{}, err
	}
	if limit <= 0 {
		limit = c.max
	}
	return c.piece(id, from, limit), nil
}

// Rest returns everything behind a cursor, for a tool that continues its own cut
// replies: max cuts the text again.
func Rest(ctx context.Context, cursor string) (string, error) {
	t := TableOf(ctx)
	_, from, c, err := t.cuts.at(cursor)
	if err != nil {
		return "", err
	}
	return c.text[from:], nil
}

// at resolves a cursor to its text and offset.
func (k *cuts) at(cursor string) (id string, from int, c cutText, err error) {
	id, offset, _ := strings.Cut(cursor, "-")
	k.mu.Lock()
	c, ok := k.texts[id]
	k.mu.Unlock()
	from, err = strconv.Atoi(offset)
	if !ok || err != nil || from < 0 || from >= len(c.text) || !utf8.RuneStart(c.text[from]) {
		return "", 0, c, Errorf(KindNoTarget, "no reply continues at cursor %q", cursor).WithHint("cut replies are kept for a while only; ask again")
	}
	return id, from, c, nil
}
