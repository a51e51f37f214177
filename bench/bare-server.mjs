/** The baseline: sends one recorded reply by `node:http`, by one route of Express, or by openapi-backend. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [kind, port, recorded, documentFile] = process.argv.slice(2);
const { route = '/node/:id', status, headers, body } = JSON.parse(readFileSync(recorded, 'utf8'));
const send = (response) => {
  response.writeHead(status, headers);
  response.end(body);
};
/** `bench/starts.mjs` waits for this line. */
const ready = () => process.stdout.write('ready\n');

const servers = {
  http: () => createServer((_request, response) => send(response)).listen(Number(port), '127.0.0.1', ready),
  express: async () => {
    // Each loads only what it needs, because start and memory are measured too.
    const { default: express } = await import('express');
    const app = express().disable('x-powered-by').disable('etag');
    app.get(route, (_request, response) => send(response));
    app.listen(Number(port), '127.0.0.1', ready);
  },
  'openapi-backend': async () => {
    const [{ default: express }, { OpenAPIBackend }] = await Promise.all([
      import('express'),
      import('openapi-backend'),
    ]);
    console.warn = () => {}; // one line for each unknown format
    const definition = JSON.parse(readFileSync(documentFile, 'utf8'));
    const api = new OpenAPIBackend({ definition, quick: true, ajvOpts: { strict: false, logger: false } });
    api.register('getNode', (_context, _request, response) => send(response));
    api.register('notFound', (_context, _request, response) => response.writeHead(404).end());
    api.registerSecurityHandler('basic_auth', () => true);
    await api.init();
    const app = express().disable('x-powered-by').disable('etag');
    app.use((request, response) => api.handleRequest(request, request, response));
    app.listen(Number(port), '127.0.0.1', ready);
  },
};
await servers[kind]();
