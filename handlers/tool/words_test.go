package tool

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"pwpipe/provider"
)

// TestWords: what texts of calls stand for, and what becomes of them. Only the host of a URL without scheme is guessed.
func TestWords(t *testing.T) {
	format := func(path, mime string, quality int) string {
		kind, q, err := PictureFormat(path, mime, quality)
		if err != nil {
			return err.Error()
		}
		return fmt.Sprint(*kind, " ", q != nil && *q == quality)
	}
	lookup := func(sel string) string {
		w, way, ok := lookedFor(sel)
		return fmt.Sprint(w.kind, "|", w.what, "|", w.name, "|", way, "|", ok)
	}
	notes := &RefNotes{byParam: map[string]string{"0": "#a", "sel": "#a"},
		byRef: map[string]string{"e5": "#a >> b", "f1e6": "#f"}}
	rewrite := func(steps bool, params string) string {
		return string(notes.Rewrite(&provider.Spec{Steps: steps}, json.RawMessage(params)))
	}
	var line strings.Builder
	_ = Line{ID: 1, Method: "txt", Params: json.RawMessage("[\"<b>\u202e\u0085\u061cé\"]")}.Write(&line)
	for _, c := range [][2]string{
		{format("a.PNG", "", 0), "png false"},
		{format("a.jpeg", "", 7), "jpeg true"}, {format("a.jpg", MIMEJPEG, 0), "jpeg false"},
		{format("a.jpg", MIMEPNG, 0), "mime: a.jpg is no image/png; without mime the ending decides"},
		{format("a.png", MIMEJPEG, 0), "mime: a.png is no image/jpeg; without mime the ending decides"},
		{format("", MIMEJPEG, 9), "jpeg true"}, {format("", MIMEPNG, 0), "png false"},
		{format("a.png", "", 9), "quality: only a JPEG has one; a PNG loses nothing"},
		{format("a", "", 0), "path: a has no ending; a picture is .png, .jpg or .jpeg"},
		{format("a.gif", "", 0), "path: a picture is .png, .jpg or .jpeg, not .gif"},
		{lookup(`role=textbox[name="Full name"]`), "role textbox|textbox|Full name||true"},
		{lookup(`css=.a >> internal:role=button[name="Save \"it\""i] >> visible=true >> nth=0`),
			`role button|button|Save "it"|css=.a  >> |true`},
		{lookup(`internal:role=link[expanded=true][name=/News.*/i]`), "role link|link|News.*||true"},
		{lookup(`internal:testid=[data-testid="x"s]`), "attr data-testid|testid|x||true"},
		{lookup(`internal:attr=[placeholder="A"i]`), "attr placeholder|placeholder|A||true"},
		{lookup(`internal:label='E-mail'`), "label|label|E-mail||true"},
		{lookup("text=Old lamp"), "text|text|Old lamp||true"},
		{lookup("#id"), "||||false"}, {lookup("nth=0"), "||||false"},
		{Plain(" a\u200bb\u202e\tc\n\n\u00a0d\u200d\u200ce\x00 \ufffd"), "ab c d\u200d\u200ce"},
		{wholeURL("a.example:8/x?y"), "https://a.example:8/x?y"}, {wholeURL("not a host"), "https://…"},
		{wholeURL("x.y z"), "https://…"},
		{rewrite(false, `["e5","e5"]`), `["#a","e5"]`},
		{rewrite(false, `{"sel":"e5","text":"e5"}`), `{"sel":"#a","text":"e5"}`},
		{rewrite(true, `{"steps":[["click","e5"],{"method":"txt","params":{"sel":"f1e6"}}]}`),
			`{"steps":[["click","#a >> b"],{"method":"txt","params":{"sel":"#f"}}]}`},
		{rewrite(true, `["click e5\nfill f1e6 e55 7"]`),
			`["click \"#a >> b\"\nfill \"#f\" e55 7"]`}, {rewrite(true, `[7]`), `[7]`},
		{string((*RefNotes)(nil).Rewrite(nil, json.RawMessage(`["e5"]`))), `["e5"]`},
		{line.String(), `{"id":1,"method":"txt","params":["<b>\u202e\u0085\u061cé"]}` + "\n"},
	} {
		if c[0] != c[1] {
			t.Errorf("%s, want %s", c[0], c[1])
		}
	}
}

// TestAnswered: a picture whose longest side is too long is made smaller, in its own format; its scale says
// by how much.
func TestAnswered(t *testing.T) {
	var asPNG, asJPEG bytes.Buffer
	_ = png.Encode(&asPNG, image.NewGray(image.Rect(0, 0, 30, 90)))
	_ = jpeg.Encode(&asJPEG, image.NewGray(image.Rect(0, 0, 90, 1)), nil)
	for _, c := range []struct {
		data []byte
		most int
		want string
	}{
		{asPNG.Bytes(), 60, "image/png png 20x60 0.6667"},
		{asPNG.Bytes(), 90, "image/png png 30x90 0"}, {asPNG.Bytes(), 0, "image/png png 30x90 0"},
		{asJPEG.Bytes(), 9, "image/jpeg jpeg 9x1 0.1"}, {[]byte("GIF89a"), 1, "image/gif  0x0 0"},
	} {
		got, err := Answered(c.data, c.most)
		data, _ := base64.StdEncoding.DecodeString(got.Base64)
		is, format, _ := image.DecodeConfig(bytes.NewReader(data))
		text := fmt.Sprintf("%s %s %dx%d %v", got.MIME, format, is.Width, is.Height, got.Scale)
		if err != nil || text != c.want {
			t.Errorf("%s, %v, want %s", text, err, c.want)
		}
	}
}
