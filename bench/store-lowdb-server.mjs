/** The same POST on lowdb's own JSONFile adapter: one array of records, one `write` a request. Port and records are arguments. */
import { readFileSync } from 'node:fs';
import express from 'express';
// Imported by path: json-server, which `npm run bench` installs beside this file, brings an older lowdb.
import { JSONFilePreset } from '../node_modules/lowdb/lib/node.js';

const [, , file, seedFile] = process.argv;
const db = await JSONFilePreset(file, { nodes: JSON.parse(readFileSync(seedFile, 'utf8')) });
await db.write();
const app = express();
app.use(express.json());
app.post('/node', async (request, response) => {
  const node = { ...db.data.nodes[0], ...request.body, nid: [{ value: db.data.nodes.length + 1 }] };
  db.data.nodes.push(node);
  await db.write();
  response.status(201).json(node);
});
const server = app.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`));
