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

// TestLongTextsOfEventsAreCut: a console line is read up to a bound, and the rest is valid
// JSON with all other members complete. Other messages stay unchanged.
func TestLongTextsOfEventsAreCut(t *testing.T) {
	for _, one := range []string{"x", "é", `\n`, `\u00e9`, `\"`, "𝒳", `\\`} {
		long := strings.Repeat(one, 2*longestText/len(one))
		tail := `"},{"type":"number","value":7}]},"sessionId":"S"}` + "\x00"
		for _, begin := range []string{`{"method":"Runtime.consoleAPICalled","params":{"args":[{"value":"`, `{"method":"Page.other","params":{"args":[{"value":"`} {
			text := begin + long + tail
			m, err := newReader(strings.NewReader(text)).next(longestSaid)
			if err != nil {
				t.Fatal(one, err)
			}
			var got struct {
				Params struct {
					Args []struct{ Value any }
				}
				SessionID string
			}
			if err := json.Unmarshal(m[:len(m)-1], &got); err != nil || got.SessionID != "S" || len(got.Params.Args) != 2 || !utf8.Valid(m) {
				t.Fatalf("%s: %v: %.100s…%s", one, err, m, m[len(m)-100:])
			}
			switch cut := strings.HasSuffix(got.Params.Args[0].Value.(string), "…"); {
			case strings.Contains(begin, "other") && string(m) != text:
				t.Errorf("%s: another event was changed", one)
			case !strings.Contains(begin, "other") && (!cut || len(m) > longestText+1000):
				t.Errorf("%s: %d bytes are left", one, len(m))
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

// TestAddressesAreCutForThePeer: URLs anywhere in an event about a request are cut, but not
// its body. Events on which the peer decides are not cut.
func TestAddressesAreCutForThePeer(t *testing.T) {
	long := "http://a/" + strings.Repeat("q", 2*peersText)
	event := func(method string) string {
		return `{"method":"` + method + `","params":{"documentURL":"` + long + `","request":{"url":"` + long + `","headers":{"Referer":"` + long +
			`"},"postData":"` + long + `","postDataEntries":[{"bytes":"` + long + `"},{"bytes":"x"}],"n":[1,"` + long + `"]},"requestId":"7"},"sessionId":"S"}` + "\x00"
	}
	for method, cut := range map[string]bool{"Network.requestWillBeSent": true, "Network.requestWillBeSentExtraInfo": true, "Network.responseReceived": true,
		"Network.responseReceivedExtraInfo": true, "Fetch.requestPaused": false, "Page.frameNavigated": false} {
		want := event(method)
		if cut {
			short := long[:peersText] + "…"
			want = strings.NewReplacer(`"postData":"`+long, `"postData":"`+long, `"bytes":"`+long, `"bytes":"`+long, long, short).Replace(want)
		}
		if got := string((&shortener{}).forPeer([]byte(event(method)))); got != want {
			t.Errorf("%s: %d bytes, want %d", method, len(got), len(want))
		}
	}
}

// TestValuesThatAreTooLong: Playwright takes a protocol error for a document that is gone,
// and asks again. An exception is a final answer.
func TestValuesThatAreTooLong(t *testing.T) {
	for head, thrown := range map[string]bool{
		`{"id":7,"result":{"result":{"type":"string","value":"vvv`: true, `{"id":7,"result":{"body":"vvv`: false, `{"id":7,"result":{"data":"{\"result\":{\"type\":\"`: false,
	} {
		peer := NewOutbox(0)
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
