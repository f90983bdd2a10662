//go:build evidence

package mcptools

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestLanguages: code that acts on elements is written in each language, and a text stays.
func TestLanguages(t *testing.T) {
	pipetest.Nightly(t, "TestPeerNext of cmd/pwpipe has one language")
	for _, c := range []struct {
		statement                  statement
		code, python, java, csharp string
	}{
		{statement{link: linkOf("goto", "http://a.example/")},
			`await page.goto('http://a.example/');`, `page.goto("http://a.example/")`,
			`page.navigate("http://a.example/");`, `await page.GotoAsync("http://a.example/");`},
		{statement{element: locator(`internal:role=button[name="It's \"on\""]`), link: linkOf("click")},
			`await page.getByRole('button', { name: 'It\'s "on"', exact: true }).click();`,
			`page.get_by_role("button", name="It's \"on\"", exact=True).click()`,
			`page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("It's \"on\"").setExact(true)).click();`,
			`await page.GetByRole(AriaRole.Button, new() { Name = "It's \"on\"", Exact = true }).ClickAsync();`},
		{statement{element: locator("internal:testid=[data-testid=\"a\"s] >> nth=0"), link: linkOf("dblclick",
			options{{"button", "right"}, {"modifiers", []string{"Shift", "ControlOrMeta"}}})},
			"await page.getByTestId('a').first().dblclick({\n  button: 'right',\n  modifiers: ['Shift', 'ControlOrMeta']\n});",
			`page.get_by_test_id("a").first.dblclick(button="right", modifiers=["Shift", "ControlOrMeta"])`,
			`page.getByTestId("a").first().dblclick(new Locator.DblclickOptions().setButton(MouseButton.RIGHT)` +
				`.setModifiers(Arrays.asList(KeyboardModifier.SHIFT, KeyboardModifier.CONTROLORMETA)));`,
			`await page.GetByTestId("a").First.DblClickAsync(new() { Button = MouseButton.Right, ` +
				`Modifiers = new[] { KeyboardModifier.Shift, KeyboardModifier.ControlOrMeta } });`},
		{statement{element: locator(`iframe >> internal:control=enter-frame >> internal:text="a"s`),
			link: linkOf("fill", environment("KEY"))},
			`await page.locator('iframe').contentFrame().getByText('a', { exact: true }).fill(process.env['KEY']);`,
			`page.locator("iframe").content_frame.get_by_text("a", exact=True).fill(os.environ["KEY"])`,
			`page.locator("iframe").contentFrame().getByText("a", new FrameLocator.GetByTextOptions().setExact(true))` +
				`.fill(System.getenv("KEY"));`,
			`await page.Locator("iframe").ContentFrame.GetByText("a", new() { Exact = true })` +
				`.FillAsync(Environment.GetEnvironmentVariable("KEY"));`},
		{statement{element: locator(`internal:role=listitem >> internal:has-text="é\n"i >> nth=2`),
			link: linkOf("selectOption", []string{"a", "b"})},
			`await page.getByRole('listitem').filter({ hasText: 'é\n' }).nth(2).selectOption(['a', 'b']);`,
			`page.get_by_role("listitem").filter(has_text="é\n").nth(2).select_option(["a", "b"])`,
			`page.getByRole(AriaRole.LISTITEM).filter(new Locator.FilterOptions().setHasText("é\n")).nth(2)` +
				`.selectOption(new String[] {"a", "b"});`,
			`await page.GetByRole(AriaRole.Listitem).Filter(new() { HasText = "é\n" }).Nth(2)` +
				`.SelectOptionAsync(new[] { "a", "b" });`},
		{statement{check: true, not: true, element: locator("internal:role=checkbox"), link: linkOf("toBeChecked")},
			`await expect(page.getByRole('checkbox')).not.toBeChecked();`,
			`expect(page.get_by_role("checkbox")).not_to_be_checked()`,
			`assertThat(page.getByRole(AriaRole.CHECKBOX)).not().isChecked();`,
			`await Expect(page.GetByRole(AriaRole.Checkbox)).Not.ToBeCheckedAsync();`},
		{statement{check: true, element: locator("body"), link: linkOf("toMatchAriaSnapshot", block("\n- list\n  "))},
			"await expect(page.locator('body')).toMatchAriaSnapshot(`\n- list\n  `);",
			`expect(page.locator("body")).to_match_aria_snapshot("\n- list\n  ")`,
			`assertThat(page.locator("body")).matchesAriaSnapshot("\n- list\n  ");`,
			`await Expect(page.Locator("body")).ToMatchAriaSnapshotAsync("\n- list\n  ");`},
	} {
		for language, want := range map[string]string{"python": c.python, "java": c.java, "csharp": c.csharp,
			"": c.code, "typescript": c.code} {
			if got := dialects[language].statement(c.statement); got != want {
				t.Errorf("%s: %s\n got %s\nwant %s", language, c.code, got, want)
			}
		}
	}
	stays := `await page.keyboard.press('Escape');`
	for language, d := range dialects {
		if got := d.statement(statement{text: stays}); got != stays {
			t.Errorf("%s: %q became %q", language, stays, got)
		}
	}
}
