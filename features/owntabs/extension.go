package owntabs

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"pwpipe/cmd/program"
	"pwpipe/features/owntabs/extension"
	"pwpipe/features/owntabs/lend"
)

const extensionHelp = `Writes the files of pwpipe's extension into a folder of yours, tells the browser about
pwpipe, and prints how to load the extension. A click on its button then lends a tab to
pwpipe (--cdp extension), another click takes it back.`

func newExtensionCommand(out *os.File) *cobra.Command {
	cmd := program.Command("extension", "The extension that lends single tabs of your own browser", program.Takes(0, 0),
		func(cmd *cobra.Command, _ []string) error { return cmd.Help() })
	var browser string
	var ids []string
	install := program.Command("install", "Write the extension's files, and tell a browser about pwpipe", program.Takes(0, 0),
		func(*cobra.Command, []string) error { return installExtension(out, browser, ids) })
	install.Long, install.Example = extensionHelp, "  pwpipe extension install\n  pwpipe extension install --browser edge"
	install.Flags().StringVar(&browser, "browser", "chrome", "the browser that lends its tabs")
	install.Flags().StringArrayVar(&ids, "id", nil, "id of a copy of the extension in a store; can be repeated")
	program.Complete(install, "browser", lend.Personal())
	cmd.AddCommand(install)
	return cmd
}

func installExtension(out io.Writer, browser string, ids []string) error {
	if err := program.CheckValue("browser", browser, lend.Personal()); err != nil {
		return err
	}
	for _, id := range ids {
		if !extension.IsID(id) {
			return fmt.Errorf("--id: 32 letters from a to p, got %q", id)
		}
	}
	program, args, err := program.ServerCommand(true)
	if err != nil {
		return err
	}
	if len(args) > 0 {
		return errors.New("this copy of pwpipe is in a cache, where a browser may not find it tomorrow; " +
			"install pwpipe first (docs/install.md)")
	}
	dir, err := extension.Folder()
	if err != nil {
		return err
	}
	if err := extension.Unpack(dir); err != nil {
		return err
	}
	profiles, err := lend.FolderOf(browser)
	if err != nil {
		return err
	}
	at := filepath.Join(profiles, "NativeMessagingHosts")
	if runtime.GOOS == "windows" {
		at = filepath.Dir(dir)
	}
	if ids, err = extension.Trust(ids); err != nil {
		return err
	}
	manifest, err := extension.Install(at, program, ids)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s\n%s\n", dir, manifest)
	if key := extension.RegistryKey(browser); runtime.GOOS == "windows" {
		fmt.Fprintf(out, "\nTell the browser where that file is:\n  reg add \"%s\" /ve /t REG_SZ /d \"%s\" /f\n",
			key, manifest)
	}
	_, err = fmt.Fprintf(out, `
In the browser, once:
  1. Open chrome://extensions and switch on "Developer mode".
  2. "Load unpacked": choose %s
  3. Pin pwpipe's button to the toolbar.
Then start pwpipe with --cdp extension, and click the button in the tab that pwpipe is to have.
`, dir)
	return err
}
