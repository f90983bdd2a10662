import assert from 'node:assert/strict';

export default async ({ page }) => {
  await page.route('**/api/user', (route) => route.fulfill({ json: { name: 'test' } }));
  await page.goto('/profile');
  await page.waitForSelector("#name:not(:text('Loading'))");
  const mocked = await page.textContent('#name');
  assert.equal(mocked, 'test');
  await page.unroute('**/api/user');
  await page.click('#reload');
  await page.waitForSelector("#name:not(:text-is('test'))");
  const real = await page.textContent('#name');
  assert.equal(real, 'Ada Thorsen');
  return `mocked: ${mocked}\nreal: ${real}`;
};
