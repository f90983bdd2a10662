// Their tests as one project, on the browser that pwpipe installs.
module.exports = {
  testDir: __dirname,
  outputDir: process.env.PWPIPE_TEST_OUTPUT,
  fullyParallel: true,
  workers: 2,
  timeout: 20000,
  reporter: [['json', { outputFile: process.env.PWPIPE_TEST_OUTCOMES }]],
  projects: [{ name: 'chromium', use: { mcpBrowser: 'chromium', headless: true } }],
};
