// Stands in for the file of this name beside Playwright's command-line tests.
import http from 'http';
import { test as baseTest, expect } from '@playwright/test';

export { expect };
export const writeFiles = () => baseTest.info().skip(true, 'tests of Playwright\'s own are no matter of pwpipe\'s');

type Answer = (request: http.IncomingMessage, response: http.ServerResponse) => void;

// Site is the web server of the tests: what they set, and else an empty page or 404.
class Site {
  PREFIX = '';
  HELLO_WORLD = '';
  EMPTY_PAGE = '';
  private routes = new Map<string, Answer>();
  private server = http.createServer((request, response) => {
    const answer = this.routes.get(new URL(request.url!, 'http://localhost').pathname);
    if (answer)
      return answer(request, response);
    response.writeHead(404).end();
  });

  async start() {
    await new Promise<void>(done => this.server.listen(0, '127.0.0.1', done));
    this.PREFIX = `http://localhost:${(this.server.address() as any).port}`;
    this.HELLO_WORLD = this.PREFIX + '/hello-world';
    this.EMPTY_PAGE = this.PREFIX + '/empty.html';
    this.setContent('/favicon.ico', '', 'image/x-icon');
    this.setContent('/', '', 'text/html');
    this.setContent('/empty.html', '', 'text/html');
    this.setContent('/hello-world', '<title>Title</title><body>Hello, world!</body>', 'text/html');
  }

  stop() {
    this.server.closeAllConnections();
    this.server.close();
  }

  setContent(path: string, content: string, type: string) {
    this.setRoute(path, (_, response) => response.setHeader('Content-Type', type).end(content));
  }

  setRoute(path: string, answer: Answer) {
    this.routes.set(path, answer);
  }
}

export const test = baseTest.extend<any>({
  mcpBrowser: ['chromium', { option: true }],
  mcpBrowserNormalized: async ({}, use: any) => use('chromium'),
  mcpHeadless: async ({}, use: any) => use(true),
  server: async ({}, use: any) => {
    const site = new Site();
    await site.start();
    await use(site);
    site.stop();
  },
});
