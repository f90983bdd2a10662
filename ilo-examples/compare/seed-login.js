await page.goto('https://app.example.com/login');
await page.fill('[name=email]', user);
await page.fill('[name=password]', pass);
await page.click('[type=submit]');
await page.waitForSelector('.dashboard');
return page.url();
