import assert from 'node:assert/strict';

export default async ({ page }, url) => {
  await page.goto(url);
  assert.equal(await page.textContent('h1'), 'Projects');
  await page.waitForSelector('#projects li, .error-banner');
  if (await page.isVisible('.error-banner')) assert.fail(await page.textContent('.error-banner'));
  const names = await page.locator('#projects strong').allTextContents();
  assert.equal(await page.textContent('#status'), `${names.length} projects`);
  return names.join('\n');
};
