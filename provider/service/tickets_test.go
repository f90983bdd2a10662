package service

import (
	"context"
	"crypto/sha256"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestTickets: above the bound the oldest log-in with the same rights goes. One ends with its time, with its team's
// key,
// or when it is dropped.
func TestTickets(t *testing.T) {
	key, end := context.WithCancel(t.Context())
	own := &tickets{}
	age := func(word string, left time.Duration) {
		hash := sha256.Sum256([]byte(word))
		one := own.of[hash]
		one.till = time.Now().Add(left)
		own.of[hash] = one
	}
	operator, team := own.give(ticket{all: true}), own.give(ticket{team: "a", key: &teamKeyOf{good: key}})
	first, oldest := own.give(ticket{}), own.give(ticket{})
	age(operator, time.Minute) // older than any client's
	age(oldest, time.Hour)
	for range maxTickets - 1 {
		own.give(ticket{})
	}
	for word, want := range map[string]bool{first: true, operator: true, team: true, oldest: false, "": false} {
		if _, in := own.find(word); in != want || len(own.of) != maxTickets+2 {
			t.Errorf("one log-in too many, of %d: %t", len(own.of)-2, in)
		}
	}
	right, _ := own.find(team)
	if all, _ := own.find(operator); right.team != "a" || right.all || !all.all || all.team != "" {
		t.Errorf("rights: %+v, %+v", right, all)
	}
	if left := time.Until(right.till); left > ticketTime || left < ticketTime-time.Hour {
		t.Errorf("it is good for %s", left)
	}
	end()
	age(first, 0)
	own.drop(operator)
	for what, word := range map[string]string{"the key is gone": team, "logged out": operator,
		"its time is over": first} {
		if _, in := own.find(word); in {
			t.Error(what)
		}
	}
	if len(own.of) != maxTickets-1 {
		t.Errorf("%d are left", len(own.of))
	}
}

// TestLogin: which key gives which rights, and what the cookie is like.
func TestLogin(t *testing.T) {
	oneKey, oneHash := NewKey()
	file := filepath.Join(t.TempDir(), "keys.json")
	if err := os.WriteFile(file, []byte(`{"teams":[{"name":"one","keys":["`+oneHash+`"]}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	keys, err := ReadKeys(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	single := &Page{Door: Door{APIKey: clientKey, OperatorKey: operatorKey, Loopback: true}, Once: "once"}
	teams := &Page{Door: Door{Keys: keys, APIKey: clientKey, Loopback: true}}
	open := &Page{Door: Door{Loopback: true}, Keyless: true}
	serves := map[*Page]http.Handler{}
	for _, p := range []*Page{single, teams, open} {
		serves[p] = p.Handler(t.Context())
	}
	for _, c := range []struct {
		what   string
		page   *Page
		key    string
		status int
		want   ticket
	}{
		{"an operator", single, operatorKey, 303, ticket{all: true}},
		{"a client", single, clientKey, 303, ticket{}},
		{"the one-time key", single, "once", 303, ticket{all: true}},
		{"the one-time key again", single, "once", 401, ticket{}},
		{"a one-time key before the last", single, "first", 401, ticket{}},
		{"the last one-time key", single, "last", 303, ticket{all: true}},
		{"none", single, "", 401, ticket{}},
		{"no operator's key, and none given", teams, "", 401, ticket{}},
		{"a team", teams, oneKey, 303, ticket{team: "one"}},
		{"teams are in the place of the key", teams, clientKey, 401, ticket{}},
		{"a hash", teams, oneHash, 401, ticket{}},
		{"where there are no keys", open, "", 401, ticket{}},
	} {
		if c.key == "first" {
			c.key = single.NewKey()
			single.NewKey()
		} else if c.key == "last" {
			c.key = single.NewKey()
		}
		r := httptest.NewRequest("POST", "http://localhost:8080/watch/login", strings.NewReader("key="+c.key))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		w, got := httptest.NewRecorder(), ticket{}
		serves[c.page].ServeHTTP(w, r)
		for _, cookie := range w.Result().Cookies() {
			back := httptest.NewRequest("GET", "http://localhost:8080/", nil)
			back.AddCookie(cookie)
			right, in := c.page.lets(back)
			got.all, got.team = right.all, right.team
			if !in || cookie.MaxAge != 12*60*60 || cookie.Name != "pwpipe-watch-8080" || cookie.Path != "/" {
				t.Errorf("%s: %t, %+v", c.what, in, cookie)
			}
		}
		if w.Code != c.status || got != c.want || (len(w.Result().Cookies()) > 0) != (c.status == 303) {
			t.Errorf("%s: %d, %+v", c.what, w.Code, got)
		}
	}
	bare := httptest.NewRequest("GET", "http://localhost/", nil)
	for page, want := range map[*Page]bool{single: false, teams: false, open: true} {
		if right, in := page.lets(bare); in != want || right.all || cookieName(bare) != "pwpipe-watch" {
			t.Errorf("without a log-in: %t, %+v, %s", in, right, cookieName(bare))
		}
	}
}
