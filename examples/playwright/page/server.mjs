/** Serves the page at an origin of its own, as a development server would. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

const types = { 'index.html': 'text/html', 'catalogue.js': 'text/javascript' };

createServer(async (request, response) => {
  const name = new URL(request.url, 'http://localhost').pathname.slice(1) || 'index.html';
  const type = types[name];
  if (type === undefined) return response.writeHead(404).end();
  response.writeHead(200, { 'content-type': type }).end(await readFile(new URL(name, import.meta.url)));
}).listen(Number(process.env.PAGE_PORT ?? 4173), 'localhost');
