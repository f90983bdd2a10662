package script

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"pwpipe/internal/pipetest"
	"pwpipe/internal/setup"
)

// typesFile is the declaration of the JavaScript API that belongs to the
// driver.
func typesFile(t *testing.T) string {
	in, err := setup.Ensure(context.Background(), setup.Options{SkipBrowser: true})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(in.DriverDir, "package", "types", "types.d.ts"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestTableIsThatOfTheTypes(t *testing.T) {
	pipetest.Golden(t, "api.txt", ParseTypes(typesFile(t)))
}
