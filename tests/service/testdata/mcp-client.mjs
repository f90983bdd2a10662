// A client of the official TypeScript packages: node mcp-client.mjs PACKAGE ERA URL KEY SITE
// prints where its own session is, and where one that it names is.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
const [name, era, url, key, site] = process.argv.slice(2);
const require = createRequire(process.env.NODE_PATH + '/x.js');
const load = id => import(pathToFileURL(require.resolve(id)));
const sdk = name.endsWith('/sdk') ? { ...await load(name + '/client/index.js'), ...await load(name + '/client/streamableHttp.js') } : await load(name);
const options = era === 'modern' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {};
const client = new sdk.Client({ name: `${name} ${era}`, version: '1' }, options);
await client.connect(new sdk.StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization: 'Bearer ' + key } } }));
const call = async (tool, args) => (await client.callTool({ name: tool, arguments: args }));
const { tools } = await client.listTools();
const said = [tools[0].name];
await call('nav', { url: site + '/form' });
said.push((await call('url', {})).content[0].text);
if (era === 'modern') {
  const session = (await call('session.create', {})).structuredContent.session_id;
  await call('nav', { url: site + '/?named', session });
  said.push((await call('url', { session })).content[0].text, (await call('url', {})).content[0].text);
}
console.log(said.join(' '));
await client.close();
