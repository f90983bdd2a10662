// A client of the official TypeScript packages: node mcp-client.mjs PACKAGE ERA SERVER
// KEY SITE FILE. Prints the URL of its own session, and the type of the picture that it
// wrote to FILE and read as a resource. Over HTTP it also prints the URL of a session
// that it names. SERVER is a URL, or a program.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
const [name, era, server, key, site, file] = process.argv.slice(2);
const require = createRequire(process.env.NODE_PATH + '/x.js');
const load = id => import(pathToFileURL(require.resolve(id)));
const first = name.endsWith('/sdk');
const parts = first ? ['/client/index.js', '/client/streamableHttp.js', '/client/stdio.js'] : ['', '/stdio'];
const sdk = Object.assign({}, ...await Promise.all(parts.map(p => load(name + p))));
const options = era === 'modern' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {};
const client = new sdk.Client({ name: `${name} ${era}`, version: '1' }, options);
const http = server.startsWith('http:');
await client.connect(http
  ? new sdk.StreamableHTTPClientTransport(new URL(server), { requestInit: { headers: { authorization: 'Bearer ' + key } } })
  : new sdk.StdioClientTransport({ command: server }));
const call = async (tool, args) => (await client.callTool({ name: tool, arguments: args }));
const { tools } = await client.listTools();
const said = [tools[0].name];
await call('nav', { url: site + '/form' });
said.push((await call('url', {})).content[0].text);
const link = (await call('shot', { path: file })).content.find(c => c.type === 'resource_link');
const { resources } = await client.listResources();
const { contents } = await client.readResource({ uri: resources.find(r => r.uri === link.uri).uri });
said.push(contents[0].mimeType, Buffer.from(contents[0].blob, 'base64').toString('latin1', 1, 4));
if (http && era === 'modern') {
  const session = (await call('session.create', {})).structuredContent.session_id;
  await call('nav', { url: site + '/?named', session });
  said.push((await call('url', { session })).content[0].text, (await call('url', {})).content[0].text);
}
console.log(said.join(' '));
await client.close();
