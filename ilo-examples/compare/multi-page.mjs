import assert from 'node:assert/strict';

export default async ({ browser, baseURL }, user, password) => {
  const context = await browser.newContext({ baseURL });
  const first = await context.newPage();
  const second = await context.newPage();
  await first.goto('/login');
  await first.fill('[name=email]', user);
  await first.fill('[name=password]', password);
  await first.click('[type=submit]');
  await first.waitForSelector('.dashboard, .error-banner');
  await second.goto('/dashboard');
  const same = await second.textContent('h1');
  assert(same.includes(user), `the second page is not signed in: ${same}`);
  const stranger = await browser.newContext({ baseURL });
  const third = await stranger.newPage();
  await third.goto('/dashboard');
  const other = await third.textContent('h1');
  assert.equal(other, 'Sign in');
  await third.close();
  return `same context: ${same}\nother context: ${other}`;
};
