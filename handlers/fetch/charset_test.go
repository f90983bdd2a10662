package fetch

import (
	"os"
	"testing"

	"golang.org/x/net/html/charset"
)

// TestGuessedCharsets: texts without a declaration are read as Chromium reads them.
func TestGuessedCharsets(t *testing.T) {
	t.Parallel()
	for in, texts := range map[string][]string{
		"shift_jis":    {"日本語", "見出し", "日本語 見出し ソ能表", "これは日本語の文章です。ソースコードと表示", "東京都の天気予報", "お問い合わせ｜株式会社"},
		"euc-jp":       {"日本語の見出し", "ソソソ これは日本語の文章です。", "京都大学のホームページへようこそ"},
		"gbk":          {"你好，这是一个中文网页，内容很多", "北京大学新闻网", "最新消息：公司简介", "联系我们"},
		"big5":         {"你好，這是一個中文網頁，內容很多", "臺灣大學首頁，最新消息", "聯絡我們"},
		"euc-kr":       {"안녕하세요 이것은 한국어 페이지입니다", "서울대학교 공지사항", "로그인 회원가입"},
		"windows-1251": {"Привет, это страница на русском языке", "Новости", "О компании: контакты и цены"},
		"koi8-r":       {"Привет, это страница на русском языке", "Новости дня", "Главная страница"},
		"windows-1252": {"café “x”", "Über uns – Öffnungszeiten", "L’été à la plage", "niño año", "© 2001 Müller & Söhne", "Größe", "naïve façade"},
	} {
		by, _ := charset.Lookup(in)
		for _, text := range texts {
			page := "<title>" + text + "</title><p class=x>" + text + "</p>"
			bytes, err := by.NewEncoder().Bytes([]byte(page))
			if err != nil {
				t.Fatal(in, text, err)
			}
			if got := decoded(bytes, "text/html"); got != page {
				t.Errorf("%s: %s, not %s", in, got, page)
			}
		}
	}
	xml, _ := charset.Lookup("iso-8859-2")
	page := `<?xml version="1.0" encoding="ISO-8859-2"?><a>Zażółć</a>`
	bytes, _ := xml.NewEncoder().Bytes([]byte(page))
	if got := decoded(bytes, "application/xml"); got != page {
		t.Errorf("got %s", got)
	}
}

// TestDecodeAnything: no bytes make it panic, and the answer is UTF-8.
func TestDecodeAnything(t *testing.T) {
	t.Parallel()
	exe, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < 1<<20; i += 1 << 16 {
		_ = decoded(exe[i:i+1<<16], "text/html")
	}
}
