// What a client does with `pwpipe serve`, in TypeScript. Start a service first:
//
//   API_KEY=dev-key-123 pwpipe serve --site
//
// and then, where pwpipe, typescript and @types/node are installed from npm:
//
//   npx tsc --target es2022 --module nodenext --types node projects.mts && node projects.mjs
import { writeFile } from 'node:fs/promises';
import { PwpipeError, Service, type Session } from 'pwpipe';

const service = new Service({ url: process.env.API ?? 'http://127.0.0.1:3337', key: process.env.API_KEY ?? 'dev-key-123' });

// A session is a browser context of its own. It is closed whatever happens.
async function withSession<T>(use: (session: Session) => Promise<T>): Promise<T> {
  const session = await service.open({ viewport: { width: 1024, height: 768 } });
  try {
    return await use(session);
  } finally {
    await session.close();
  }
}

await withSession(async (session) => {
  await session.nav('/projects');
  await session.click('role=button[name="New Project"]');
  await session.fill({ sel: '#project', val: 'Fog bell' });
  await session.press('Enter', '#project');
  const projects: string = await session.txt('[data-testid=projects]');
  console.log(projects);

  // A file is written on the service's machine, and read from there.
  await writeFile('projects.png', await session.file('shot', { path: process.env.SHOT ?? 'projects.png' }));

  // Another page, in a context of its own.
  const page = session.page(await session.newPage(await session.newCtx()));
  await page.nav('/form');
  console.log(await page.title(), '|', await session.title());

  // What the pages logged and requested since the last time.
  await session.eval('console.log("the lamp is lit")');
  console.log((await session.logsPull()).console[0].text);

  // A failed call has pwpipe's message.
  try {
    await session.call('txt', ['#nothing'], { timeout: 1 });
  } catch (err) {
    if (!(err instanceof PwpipeError)) throw err;
    console.log(`${err.kind}: ${err.message}`);
  }
});
