// Their tests as one project, on the browser that pwpipe installs.
module.exports = {
  testDir: __dirname,
  // Their tests find --config by a path that is right two folders up, where they have it too.
  outputDir: require('path').join(__dirname, '..', '..', 'test-results'),
  fullyParallel: true,
  workers: 2,
  timeout: 60000,
  reporter: [['json', { outputFile: process.env.PWPIPE_TEST_OUTCOMES }]],
  projects: [{ name: 'chromium', use: { mcpBrowser: 'chromium', headless: true } }],
};
