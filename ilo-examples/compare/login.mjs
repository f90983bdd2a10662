export default async ({ page }, user, password) => {
  await page.goto('/login');
  await page.fill('[name=email]', user);
  await page.fill('[name=password]', password);
  await page.click('[type=submit]');
  await page.waitForSelector('.dashboard, .error-banner');
  const text = await page.textContent('.dashboard h1, .error-banner');
  if (!text.includes(user)) throw new Error(`not signed in: ${text}`);
  return text;
};
