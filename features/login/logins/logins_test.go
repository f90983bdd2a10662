package logins

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pwpipe/internal/text/secrets"
)

// The test values of RFC 6238, appendix B, for all three hashes.
func TestCodes(t *testing.T) {
	at := []int64{59, 1111111109, 1111111111, 1234567890, 2000000000, 20000000000}
	for hash, c := range map[string]struct {
		key   string
		codes []string
	}{
		"SHA1": {"GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
			[]string{"94287082", "07081804", "14050471", "89005924", "69279037", "65353130"}},
		"SHA256": {"GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZA",
			[]string{"46119246", "68084774", "67062674", "91819424", "90698825", "77737706"}},
		"SHA512": {"GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNA",
			[]string{"90693936", "25091201", "99943326", "93441116", "38618901", "47863826"}},
	} {
		made, err := parseTOTP("otpauth://totp/Example:ada?digits=8&algorithm=" + hash + "&secret=" + c.key)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range c.codes {
			if got := made.code(made.step(time.Unix(at[i], 0))); got != want {
				t.Errorf("%s at %d: %s, want %s", hash, at[i], got, want)
			}
		}
	}
	made, err := parseTOTP("gezd gnbv gy3t qojq gezd gnbv gy3t qojq")
	if err != nil {
		t.Fatal(err)
	}
	if got := made.code(made.step(time.Unix(59, 0))); got != "287082" {
		t.Errorf("as sites show it: %s", got)
	}
	for text, seconds := range map[string]float64{"GEZD-GNBV-gy3t-qojq": 30, "MZXW6===": 30,
		"otpauth://totp/x?secret=MZXW6===&algorithm=sha256&digits=6&period=600": 600} {
		if made, err := parseTOTP(text); err != nil || made.digits != 6 || made.period.Seconds() != seconds {
			t.Errorf("%s: %+v, %v", text, made, err)
		}
	}
	for _, bad := range []string{"", "0189", "otpauth://totp/x?secret=GEZDGNBV&digits=5",
		"otpauth://totp/x?secret=GEZDGNBV&period=601", "otpauth://hotp/x?secret=GEZDGNBV",
		"otpauth://totp/x?secret=GEZDGNBV&digits=9",
		"otpauth://totp/x?secret=GEZDGNBV&period=0", "otpauth://totp/x?secret=GEZDGNBV&algorithm=MD5", "otpauth://totp/x"} {
		if _, err := parseTOTP(bad); err == nil || bad != "" && strings.Contains(err.Error(), bad) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// TestCodesAreNew: each code is given once.
func TestCodesAreNew(t *testing.T) {
	made, _ := parseTOTP("otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ&period=1")
	u := used{of: map[string]int64{}}
	seen := map[int64]bool{}
	for range 3 {
		step, err := u.next(t.Context(), "shop", made)
		if err != nil || seen[step] {
			t.Fatalf("%d again, %v", step, err)
		}
		seen[step] = true
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	made.period = time.Hour
	u.of["shop"] = made.step(time.Now())
	if _, err := u.next(ctx, "shop", made); err == nil {
		t.Error("a used code is given again")
	}
}

func TestOrigins(t *testing.T) {
	for text, want := range map[string]string{
		"https://shop.example": "https://shop.example", "https://shop.example//": "https://shop.example",
		"http://shop.example:80": "http://shop.example", "https://Shop.Example:443/": "https://shop.example",
		"http://127.0.0.1:8080": "http://127.0.0.1:8080", "https://bücher.example": "https://xn--bcher-kva.example",
		"https://shоp.example": "https://xn--shp-ted.example", "https://[::1]:8443": "https://[::1]:8443",
		"https://shop.example/login": "", "shop.example": "", "ftp://shop.example": "", "https://u@shop.example": "", "https://": "",
		"https://shop.example?x": "", "javascript:alert(1)": "", "https://*.example": "",
	} {
		got, err := Origin(text)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v; want %q", text, got, err, want)
		}
	}
}

func load(t *testing.T, text string, values map[string]string) (*Book, *secrets.Store, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "logins.toml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	set, err := secrets.New(values)
	if err != nil {
		t.Fatal(err)
	}
	store := secrets.NewStore(set)
	b, err := Load(file, store)
	return b, store, err
}

const shop = `[shop]
origin = ["https://shop.example", "https://id.shop.example"]
page = "/login?next=%2F"
user = "ada@mail.example"
password = "{{SHOP_PASSWORD}}"
totp = {command = ["sh", "-c", "echo GEZDGNBVGY3TQOJQ"]}
steps = [{click = "text=Log in"}, {user = "#u"}]
`

// TestLoad reads a file. The secrets that it names are pinned.
func TestLoad(t *testing.T) {
	b, store, err := load(t, shop, map[string]string{"SHOP_PASSWORD": "correct horse", "OTHER": "free to type"})
	if err != nil {
		t.Fatal(err)
	}
	l, err := b.Find("shop")
	if err != nil || l.Page != "https://shop.example/login?next=%2F" || len(l.Steps) != 2 || l.Steps[0] != (Step{"click", "text=Log in"}) {
		t.Errorf("%+v, %v", l, err)
	}
	if _, err := b.Find("bank"); err == nil || !strings.Contains(err.Error(), "there are shop") {
		t.Error(err)
	}
	if text, hidden, err := b.UserName(t.Context(), l); text != "ada@mail.example" || hidden || err != nil {
		t.Error(text, hidden, err)
	}
	if text, err := b.Password(t.Context(), l); text != "correct horse" || err != nil {
		t.Error(text, err)
	}
	code, err := b.Code(t.Context(), l)
	if err != nil || len(code) != 6 || store.Mask("it is "+code) != "it is <secret:shop.code>" || store.Mask("gezdgnbvgy3tqojq") != "<secret:shop.totp>" {
		t.Error(code, err, store.Mask("it is "+code))
	}
	if _, err := store.Resolve("x{{SHOP_PASSWORD}}"); err == nil || !strings.Contains(err.Error(), "pinned to the log-in shop at https://shop.example") {
		t.Error(err)
	}
	if got, err := store.Resolve("{{OTHER}}"); got != "free to type" || err != nil {
		t.Error(got, err)
	}
	if _, err := store.Resolve("{{SHOP}}"); err == nil || strings.Contains(err.Error(), "shop.code") {
		t.Error(err)
	}
}

// TestOtherSources: codes that a command prints, seeds and user names that are secrets, and a log-in without a page.
func TestOtherSources(t *testing.T) {
	b, store, err := load(t, `[mail]
origin = "https://mail.example"
user = "{{NAME}}"
totp = "{{SEED}}"
[bank]
origin = "https://bank.example"
user = {command = ["echo", "ada the first"]}
code = {command = ["sh", "code.sh"]}
`, map[string]string{"NAME": "ada of the mail", "SEED": "GEZDGNBVGY3TQOJQ"})
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(b.dir, "code.sh")
	if err := os.WriteFile(script, []byte("echo 445566"), 0o600); err != nil {
		t.Fatal(err)
	}
	mail, bank := b.logins["mail"], b.logins["bank"]
	if mail.AtPage || mail.Page != "https://mail.example/" {
		t.Errorf("%+v", mail)
	}
	if text, hidden, err := b.UserName(t.Context(), mail); text != "ada of the mail" || !hidden || err != nil ||
		b.Holds(text) != "NAME" || !b.carried.isUser("NAME") {
		t.Error(text, hidden, err)
	}
	if text, hidden, err := b.UserName(t.Context(), bank); text != "ada the first" || !hidden || err != nil ||
		b.Holds(text) != "bank.user" || !b.carried.isUser("bank.user") {
		t.Error(text, hidden, err)
	}
	if text, err := b.Code(t.Context(), bank); text != "445566" || err != nil ||
		b.Holds("is 445566.") != "bank.code" || store.Mask(text) != "<secret:bank.code>" || b.Holds("1445566") != "" {
		t.Error(text, err, b.Holds("is 445566."))
	}
	if code, err := b.Code(t.Context(), mail); err != nil || b.Holds(code) != "mail.code" {
		t.Error(code, err)
	}
	if _, err := store.Resolve("{{SEED}}"); err == nil || !strings.Contains(err.Error(), "pinned to the log-in mail") {
		t.Error(err)
	}
	if sh, err := exec.LookPath("sh"); err != nil || !slices.Contains(b.Files(), sh) || !slices.Contains(b.Files(),
		script) {
		t.Errorf("%q are what commands run", b.Files())
	}
}

// TestBadFiles: the error for a wrong file says what is wrong, and quotes no value.
func TestBadFiles(t *testing.T) {
	table, err := os.ReadFile("testdata/bad.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		var text, want string
		if _, err := fmt.Sscanf(line, "%q %q", &text, &want); err != nil {
			t.Fatal(line, err)
		}
		_, _, err := load(t, text, map[string]string{"PW": "correct horse"})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestCommands: an error contains what a command writes to stderr, and never what it prints.
func TestCommands(t *testing.T) {
	b := &Book{secrets: secrets.NewStore(nil), dir: t.TempDir()}
	if err := os.WriteFile(filepath.Join(b.dir, "here"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for script, want := range map[string]string{
		"echo hunter2hunter2; echo user: ada":            "",
		"printf 'hunter2hunter2\\r\\n'":                  "",
		"echo hunter2; echo vault is locked >&2; exit 3": "the command sh: exit status 3: vault is locked",
		"echo locked >&2":                                "the command sh: printed nothing: locked",
		"head -c 9999 /dev/zero | tr '\\0' x":            "the command sh: printed more than 4096 bytes",
		"test -e here && echo hunter2hunter2":            "", // where the file of log-ins is
		"cat; echo hunter2hunter2":                       "", // there is nothing to read
	} {
		got, err := b.run(t.Context(), []string{"sh", "-c", script})
		switch {
		case want == "" && (err != nil || got != "hunter2hunter2"):
			t.Errorf("%s: %q, %v", script, got, err)
		case want != "" && (err == nil || err.Error() != want):
			t.Errorf("%s: %q, %v; want %s", script, got, err, want)
		}
	}
	if _, err := b.run(t.Context(), []string{"no-such-program-here; echo x"}); err == nil {
		t.Error("a shell ran it")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := b.run(ctx, []string{"sh", "-c", "sleep 60"}); err == nil || !strings.Contains(err.Error(), "did not end") {
		t.Error(err)
	}
}
