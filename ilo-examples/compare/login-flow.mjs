export default async ({ page }, user, password) => {
  await page.goto('/login');
  await page.fill('[name=email]', user);
  await page.fill('[name=password]', password);
  await page.click('[type=submit]');
  await page.waitForSelector('.dashboard');
  return page.url();
};
