# A client that brings Python's Playwright: see playwright.cjs.
import json, os, sys
from playwright.sync_api import sync_playwright

endpoint, site = sys.argv[1:3]
seen = {}
with sync_playwright() as p:
    key = os.environ.get("KEY")
    browser = p.chromium.connect_over_cdp(endpoint, headers={"x-api-key": key} if key else None)
    context = browser.contexts[0]
    page = context.pages[0]
    seen["contexts"] = len(browser.contexts)
    seen["pages"] = [p.url.replace(site, "") for p in context.pages]
    seen["cookies"] = [c["name"] for c in context.cookies()]
    page.goto(site + "/click")
    page.click("#go")
    seen["clicked"] = page.text_content("#count")
    page.route("**/api", lambda r: r.fulfill(json={"a": 7}))
    seen["routed"] = page.evaluate("() => fetch('/api').then(r => r.json())")
    page.once("dialog", lambda d: d.accept("yes"))
    seen["dialog"] = page.evaluate("() => prompt('?')")
    context.add_cookies([{"name": "mine", "value": "1", "url": site}])
    seen["now"] = [c["name"] for c in context.cookies()]
    with page.expect_popup() as popup:
        page.click("a")
    popup.value.wait_for_load_state()
    seen["popup"] = popup.value.title()
    popup.value.close()
    other = browser.new_context()
    own = other.new_page()
    own.goto(site + "/two")
    seen["own"] = [own.title(), len(other.cookies()), len(browser.contexts)]
    seen["picture"] = len(own.screenshot()) > 1000
    other.close()
    seen["left"] = page.title()
    browser.close()
print(json.dumps(seen))
