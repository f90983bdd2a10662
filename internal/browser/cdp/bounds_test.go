package cdp

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestLongTextsOfEventsAreCut: an event that nobody has thought of is read up to a bound for each
// text, and the rest is valid JSON with all other members complete. Answers and the events of a
// short list stay unchanged.
func TestLongTextsOfEventsAreCut(t *testing.T) {
	whole := map[string]bool{
		`{"method":"Page.other","params":{`: false, `{"method":"Runtime.consoleAPICalled","params":{`: false,
		`{"params":{`: false, `{"method":"Page.screencastFrame","params":{`: true, `{"method":"Fetch.requestPaused","params":{`: true,
		`{"id":7,"result":{`: true,
	}
	for _, one := range []string{"x", "é", `\n`, `\u00e9`, `\"`, "𝒳", `\\`} {
		long := strings.Repeat(one, 2*longestText/len(one))
		tail := `"},{"type":"number","value":7}]},"sessionId":"S"}` + "\x00"
		for begin, stays := range whole {
			if one != "x" && !strings.Contains(begin, "console") {
				continue
			}
			text := begin + `"args":[{"value":"` + long + tail
			m, err := newReader(strings.NewReader(text)).next(longestSaid)
			if err != nil {
				t.Fatal(one, err)
			}
			type body struct{ Args []struct{ Value any } }
			var got struct {
				Params, Result body
				SessionID      string
			}
			if err := json.Unmarshal(m[:len(m)-1], &got); err != nil || got.SessionID != "S" || !utf8.Valid(m) {
				t.Fatalf("%s: %v: %.100s…%s", one, err, m, m[len(m)-100:])
			}
			args := append(got.Params.Args, got.Result.Args...)
			switch cut := len(args) == 2 && strings.HasSuffix(args[0].Value.(string), "…"); {
			case stays && string(m) != text:
				t.Errorf("%s: %s was changed", one, begin)
			case !stays && (!cut || len(m) > longestText+1000):
				t.Errorf("%s: %d bytes are left of %s", one, len(m), begin)
			}
		}
	}
}

// TestTooLongMessages: a reply too long to hold becomes an error for its caller, pwpipe or
// the peer. Later messages are read.
func TestTooLongMessages(t *testing.T) {
	huge := strings.Repeat("v", longestSaid+1<<20)
	for _, c := range []struct{ id, session string }{{"1073741824", ""}, {"5", "ABC"}} {
		end := "}"
		if c.session != "" {
			end = `,"sessionId":"` + c.session + `"}`
		}
		r := newReader(strings.NewReader(fmt.Sprintf(`{"id":%s,"result":{"value":"%s"}%s`, c.id, huge, end) + "\x00" + `{"id":6}` + "\x00"))
		_, err := r.next(longestSaid)
		long, ok := err.(*tooLongError)
		if !ok {
			t.Fatal(err)
		}
		if m := reAsked.FindSubmatch(long.head); m == nil || string(m[1]) != c.id {
			t.Errorf("asked by %s: %.50s", c.id, long.head)
		}
		if m := reEnd.FindSubmatch(long.tail); (m == nil) != (c.session == "") || m != nil && string(m[1]) != c.session {
			t.Errorf("session %q: …%s", c.session, long.tail[len(long.tail)-50:])
		}
		if m, err := r.next(longestSaid); err != nil || string(m) != `{"id":6}`+"\x00" {
			t.Errorf("the next: %q %v", m, err)
		}
	}
}

// TestTextsAreCutForThePeer: so are all texts of events, and all together have a bound. A request
// has its body once, if there is room for it. Events on which the peer decides are whole.
func TestTextsAreCutForThePeer(t *testing.T) {
	text := []byte("http://a/")
	for n := 0; len(text) < 2*peersText; n++ {
		text = fmt.Append(text, n, "q")
	}
	long := string(text)
	event := func(method string) string {
		return `{"method":"` + method + `","params":{"documentURL":"` + long + `","request":{"url":"` + long + `","headers":{"Referer":"` + long +
			`"},"postData":"` + long + `","postDataEntries":[{"bytes":"` + long + `"},{"bytes":"x"}],"n":[1,"` + long + `"]},"requestId":"7"},"sessionId":"S"}` + "\x00"
	}
	short := strings.NewReplacer(long, long[:peersText]+"…")
	for method, cut := range map[string]bool{"Network.requestWillBeSentExtraInfo": true, "Network.responseReceived": true,
		"Page.frameNavigated": true, "Some.event": true, "Fetch.requestPaused": false} {
		want := event(method)
		if cut {
			want = short.Replace(want)
		}
		if got := string((&shortener{}).forPeer([]byte(event(method)), nil)); got != want {
			t.Errorf("%s: %d bytes, want %d", method, len(got), len(want))
		}
	}
	for _, room := range []bool{true, false} {
		want := strings.Replace(event("Network.requestWillBeSent"), `"postData":"`+long, `"postData":"`, 1)
		if room {
			want = short.Replace(strings.Replace(want, `"bytes":"`+long, `"bytes":"BODY`, 1))
			want = strings.Replace(want, "BODY", long, 1)
		} else {
			want = short.Replace(strings.Replace(strings.Replace(want, `"bytes":"`+long, `"bytes":"`, 1), `{"bytes":"x"}`, `{"bytes":""}`, 1))
		}
		got := string((&shortener{}).forPeer([]byte(event("Network.requestWillBeSent")), func(int) bool { return room }))
		if got != want {
			t.Errorf("a request with room %v: %d bytes, want %d", room, len(got), len(want))
		}
	}
	name := `{"method":"Page.frameNavigated","params":{"frame":{"id":"A","parentId":"B","name":"` + long + `"}}}`
	if got := (&shortener{}).forPeer([]byte(name), nil); len(got) > framesText+200 {
		t.Errorf("%d bytes are left of a frame's name", len(got))
	}
	many := `{"method":"Some.event","params":{"list":[` + strings.Repeat(`"`+long[:peersText]+`",`, 100) + `"end"]},"sessionId":"0123456789ABCDEF0123456789ABCDEF"}`
	got := (&shortener{}).forPeer([]byte(many), nil)
	if len(got) > 2*peersTexts || !json.Valid(got) || !strings.HasSuffix(string(got), `"end"]},"sessionId":"0123456789ABCDEF0123456789ABCDEF"}`) {
		t.Errorf("%d bytes are left of many texts: …%s", len(got), got[len(got)-100:])
	}
	binary := `{"method":"Network.webSocketFrameSent","params":{"requestId":"1.2","timestamp":12.5,"response":{"opcode":2,"mask":true,"payloadData":"` +
		strings.Repeat("QUJD", peersText) + `"}}}`
	var frame struct {
		Params struct{ Response struct{ PayloadData []byte } }
	}
	if err := json.Unmarshal((&shortener{}).forPeer([]byte(binary), nil), &frame); err != nil || len(frame.Params.Response.PayloadData) < peersText {
		t.Errorf("a binary message: %v, %d bytes", err, len(frame.Params.Response.PayloadData))
	}
}

// TestValuesThatAreTooLong: Playwright takes a protocol error for a document that is gone,
// and asks again. An exception is a final answer.
func TestValuesThatAreTooLong(t *testing.T) {
	for head, thrown := range map[string]bool{
		`{"id":7,"result":{"result":{"type":"string","value":"vvv`: true, `{"id":7,"result":{"body":"vvv`: false, `{"id":7,"result":{"data":"{\"result\":{\"type\":\"`: false,
	} {
		peer := newLanes(nil)
		c := &Conn{peer: peer, calls: map[int64]*call{}, sessions: map[string]*Session{}}
		c.tooLong(&tooLongError{head: []byte(head), tail: []byte(`vvv"}},"sessionId":"S"}` + "\x00"), length: 60 << 20, most: longestSaid})
		_ = peer.Close()
		text, _ := io.ReadAll(peer)
		got := string(text)
		if strings.Contains(got, `"exceptionDetails"`) != thrown || strings.Contains(got, `"error":`) == thrown ||
			!strings.HasPrefix(got, `{"id":7,`) || !strings.HasSuffix(got, `,"sessionId":"S"}`+"\x00") || !strings.Contains(got, "a message of 60 MiB") {
			t.Errorf("%s: %s", head, got)
		}
	}
}

func FuzzCutter(f *testing.F) {
	f.Add(`{"method":"Runtime.consoleAPICalled","a":"\u00e9\\\""}`, 3)
	f.Fuzz(func(t *testing.T, text string, piece int) {
		if !json.Valid([]byte(text)) || len(text) > longestText {
			return
		}
		c, got := cutter{most: longestText}, []byte(nil)
		r := bufio.NewReaderSize(strings.NewReader(text), 16+max(0, piece)%100)
		for b, err := r.ReadSlice(0); ; b, err = r.ReadSlice(0) {
			if got = c.add(got, b); err != bufio.ErrBufferFull {
				break
			}
		}
		if string(got) != text {
			t.Errorf("%q became %q", text, got)
		}
	})
}
