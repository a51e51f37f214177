import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLedger, sha256, work } from './support/client.mjs';
import { filesIn } from './support/crash.mjs';
import { pause, serve, workDirectory } from './support/program.mjs';
const place = workDirectory();
const content = (d) => new Map(filesIn(d).map((f) => [f, sha256(readFileSync(f))]));
let n = 0, hits = 0; const end = Date.now() + 60_000;
const loop = async (k) => { for (let i = 0; Date.now() < end; i++) {
  const data = join(place, `${k}-${i}`); const s = await serve(data); let over = false;
  const w = work(s.url, createLedger(), () => over); await pause(200); over = true; await w;
  const a = content(data); await pause(300); const b = content(data); n++;
  const d = [...new Set([...a.keys(), ...b.keys()])].filter((f) => a.get(f) !== b.get(f));
  if (d.length) { hits++; console.log('changed alone:', d.map((f) => `${f.slice(place.length)} ${a.has(f) ? '' : 'new'}${b.has(f) ? '' : 'gone'}`).join(', ')); }
  await s.kill(); } };
await Promise.all([0, 1, 2, 3].map(loop));
console.log(n, 'servers alone,', hits, 'changed'); process.exit(0);
