// Stands in for what starts Playwright MCP: with PWPIPE_UNDER_TEST that is pwpipe.
const { spawn } = require('child_process');
const ours = process.env.PWPIPE_UNDER_TEST;
process.env.PLAYWRIGHT_MCP_EXECUTABLE_PATH ??= process.env.PWPIPE_TEST_CHROMIUM;
if (!ours) {
  require('./mcp.theirs.js');
} else {
  const child = spawn(ours, ['mcp', ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(signal));
  child.on('exit', code => process.exit(code ?? 1));
}
