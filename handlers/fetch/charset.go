package fetch

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
)

// decoded is a body in UTF-8: by its declared encoding, as UTF-8 if it is that, or by the encoding in which it
// makes most sense, as browsers guess it.
func decoded(body []byte, contentType string) string {
	by, _, certain := charset.DetermineEncoding(body, contentType)
	switch {
	case certain:
	case utf8.Valid(body):
		return strings.TrimPrefix(string(body), "\ufeff")
	default:
		if by = declaredInXML(body); by == nil {
			by = guessed(body)
		}
	}
	text, err := by.NewDecoder().Bytes(body)
	if err != nil {
		text = body
	}
	return strings.TrimPrefix(strings.ToValidUTF8(string(text), "\ufffd"), "\ufeff")
}

var reXML = regexp.MustCompile(`^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']`)

func declaredInXML(body []byte) encoding.Encoding {
	m := reXML.FindSubmatch(body[:min(len(body), 1024)])
	if m == nil {
		return nil
	}
	by, _ := charset.Lookup(string(m[1]))
	return by
}

// Characters that are frequent in a language.
const (
	simplified = "的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年得就那要下以" +
		"生会自着去之过家学对可里后小么心多天而能好都然没日于起还发成事只作当想看" +
		"文开手十用主行方又如前所本见经头面公同三已老从动两长样网页内容信新闻"
	westernOnes = "\u00a0«»©®°·“”‘’–—…•€£§éèêëàâäáãåæçîïíìôöóòõøœùûüúßñý"
	koreanOnes  = "이다는을를가의에은하고로도지한기사리자어나시아인스대정서부해"
	traditional = "的一是不了在人有我他這中大來上國個到說們為子和你地出道也時年得就那要下以" +
		"生會自著去之過家學對可裡後小麼心多天而能好都然沒日於起還發成事只作當想看" +
		"文開手十用主行方又如前所本見經頭面公同三已老從動兩長樣網頁內容信新聞"
)

// guesses are the encodings that pages without a declaration are in, each with the worth of a character that is
// not ASCII: 1 for what is frequent in its languages, less than 0 for what text has hardly ever.
var guesses = []struct {
	name  string
	worth func(before, r rune) float64
}{
	{"windows-1252", western},
	{"shift_jis", japanese},
	{"euc-jp", japanese},
	{"gbk", func(_, r rune) float64 { return chinese(r, simplified) }},
	{"big5", func(_, r rune) float64 { return chinese(r, traditional) }},
	{"euc-kr", korean},
	{"windows-1251", cyrillic},
	{"koi8-r", cyrillic},
}

const punctuation = "、。，！？：；（）「」『』【】《》・…　“”"

func western(before, r rune) float64 {
	switch {
	case strings.ContainsRune(westernOnes, r) && before < 0x80:
		return 0.8
	case unicode.IsLetter(r) && r != 'ƒ' && before < 0x80:
		return 0.5
	case unicode.IsLower(r) && unicode.IsLower(before) && r < 0x100: // as in Größe
		return 0.5
	default:
		return -0.3
	}
}

func japanese(_, r rune) float64 {
	switch {
	case r >= 'ぁ' && r <= 'ヺ' || r == 'ー' || strings.ContainsRune(punctuation, r):
		return 1
	case unicode.Is(unicode.Han, r):
		return 0.4
	default:
		return -0.5
	}
}

func chinese(r rune, frequent string) float64 {
	switch {
	case strings.ContainsRune(frequent, r) || strings.ContainsRune(punctuation, r):
		return 1
	case unicode.Is(unicode.Han, r) && frequent == simplified && !isBasic(simplifiedChinese, r):
		return 0
	case unicode.Is(unicode.Han, r):
		return 0.3
	default:
		return -0.5
	}
}

// isBasic reports whether an encoding has a character in its first, small set. The
// others were added later, and are rare.
func isBasic(by encoding.Encoding, r rune) bool {
	b, err := by.NewEncoder().Bytes([]byte(string(r)))
	return err == nil && len(b) == 2 && b[0] >= 0xb0 && b[1] >= 0xa1
}

var (
	simplifiedChinese, _ = charset.Lookup("gbk")
	koreanByKS, _        = charset.Lookup("euc-kr")
)

func korean(_, r rune) float64 {
	switch {
	case strings.ContainsRune(koreanOnes, r):
		return 1
	case unicode.Is(unicode.Hangul, r) && isBasic(koreanByKS, r):
		return 0.7
	case unicode.Is(unicode.Han, r):
		return 0.1
	default:
		return -0.5
	}
}

func cyrillic(before, r rune) float64 {
	inWord := unicode.Is(unicode.Cyrillic, before)
	switch {
	case !unicode.Is(unicode.Cyrillic, r):
		return -0.3
	case unicode.IsLower(r):
		return 0.8
	case inWord: // a capital letter within a word
		return -0.3
	default:
		return 0.5
	}
}

// longestGuess is how much of a body is looked at.
const longestGuess = 1 << 15

// guessed is the encoding in which a text makes most sense: windows-1252, unless another does more.
func guessed(body []byte) encoding.Encoding {
	part := body[:min(len(body), longestGuess)]
	if len(part) == longestGuess { // do not cut a character
		if i := bytes.LastIndexFunc(part, func(r rune) bool { return r < 0x40 }); i > 0 {
			part = part[:i]
		}
	}
	best, _ := charset.Lookup("windows-1252")
	most := 0.0
	for _, g := range guesses {
		by, _ := charset.Lookup(g.name)
		text, err := by.NewDecoder().Bytes(part)
		if err != nil {
			continue
		}
		sum, n, before := 0.0, 0, ' '
		for _, r := range string(text) {
			switch {
			case r == utf8.RuneError, unicode.IsControl(r) && r >= 0x80:
				sum, n = sum-3, n+1
			case r >= 0x80:
				sum, n = sum+g.worth(before, r), n+1
			}
			before = r
		}
		if n > 0 && sum/float64(n) > most {
			best, most = by, sum/float64(n)
		}
	}
	return best
}
