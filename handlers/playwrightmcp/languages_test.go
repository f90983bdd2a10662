package playwrightmcp

import "testing"

// TestLanguages: code that acts on elements is written in each language, and other code stays.
func TestLanguages(t *testing.T) {
	for _, c := range []struct{ code, python, java, csharp string }{
		{`await page.goto('http://a.example/');`, `page.goto("http://a.example/")`,
			`page.navigate("http://a.example/");`, `await page.GotoAsync("http://a.example/");`},
		{`await page.getByRole('button', { name: 'It\'s "on"', exact: true }).click();`,
			`page.get_by_role("button", name="It's \"on\"", exact=True).click()`,
			`page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("It's \"on\"").setExact(true)).click();`,
			`await page.GetByRole(AriaRole.Button, new() { Name = "It's \"on\"", Exact = true }).ClickAsync();`},
		{"await page.getByTestId('a').first().dblclick({\n  button: 'right',\n  modifiers: ['Shift', 'ControlOrMeta']\n});",
			`page.get_by_test_id("a").first.dblclick(button="right", modifiers=["Shift", "ControlOrMeta"])`,
			`page.getByTestId("a").first().dblclick(new Locator.DblclickOptions().setButton(MouseButton.RIGHT)` +
				`.setModifiers(Arrays.asList(KeyboardModifier.SHIFT, KeyboardModifier.CONTROLORMETA)));`,
			`await page.GetByTestId("a").First.DblClickAsync(new() { Button = MouseButton.Right, ` +
				`Modifiers = new[] { KeyboardModifier.Shift, KeyboardModifier.ControlOrMeta } });`},
		{`await page.locator('iframe').contentFrame().getByText('a', { exact: true }).fill(process.env['KEY']);`,
			`page.locator("iframe").content_frame.get_by_text("a", exact=True).fill(os.environ["KEY"])`,
			`page.locator("iframe").contentFrame().getByText("a", new FrameLocator.GetByTextOptions().setExact(true))` +
				`.fill(System.getenv("KEY"));`,
			`await page.Locator("iframe").ContentFrame.GetByText("a", new() { Exact = true })` +
				`.FillAsync(Environment.GetEnvironmentVariable("KEY"));`},
		{`await page.getByRole('listitem').filter({ hasText: 'é\n' }).nth(2).selectOption(['a', 'b']);`,
			`page.get_by_role("listitem").filter(has_text="é\n").nth(2).select_option(["a", "b"])`,
			`page.getByRole(AriaRole.LISTITEM).filter(new Locator.FilterOptions().setHasText("é\n")).nth(2)` +
				`.selectOption(new String[] {"a", "b"});`,
			`await page.GetByRole(AriaRole.Listitem).Filter(new() { HasText = "é\n" }).Nth(2)` +
				`.SelectOptionAsync(new[] { "a", "b" });`},
		{`await expect(page.getByRole('checkbox')).not.toBeChecked();`,
			`expect(page.get_by_role("checkbox")).not_to_be_checked()`,
			`assertThat(page.getByRole(AriaRole.CHECKBOX)).not().isChecked();`,
			`await Expect(page.GetByRole(AriaRole.Checkbox)).Not.ToBeCheckedAsync();`},
		{"await expect(page.locator('body')).toMatchAriaSnapshot(`\n- list\n  `);",
			`expect(page.locator("body")).to_match_aria_snapshot("\n- list\n  ")`,
			`assertThat(page.locator("body")).matchesAriaSnapshot("\n- list\n  ");`,
			`await Expect(page.Locator("body")).ToMatchAriaSnapshotAsync("\n- list\n  ");`},
	} {
		for language, want := range map[string]string{"python": c.python, "java": c.java, "csharp": c.csharp,
			"": c.code, "typescript": c.code} {
			if got := inLanguage(language, []string{c.code})[0]; got != want {
				t.Errorf("%s: %s\n got %s\nwant %s", language, c.code, got, want)
			}
		}
	}
	for _, stays := range []string{`// Press Escape`, `await page.keyboard.press('Escape');`, `await page.close()`,
		`await page.evaluate('() => document.title');`, `await (async page => page.click('a'))(page);`,
		`await page.getByText('a').dragTo(page.getByText('b'));`, `await page.getByText('a`, `await page.goto(x);`,
		`await page.getByText('a').click(); await page.getByText('b').click();`} {
		for language := range dialects {
			if got := inLanguage(language, []string{stays})[0]; got != stays {
				t.Errorf("%s: %q became %q", language, stays, got)
			}
		}
	}
}
