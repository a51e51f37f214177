/**
 * Asks a server for ten minutes, 70 reads, 20 writes and 10 uploads in a hundred, and watches its memory, descriptors and
 * answers. What is created is deleted again, so that nothing may grow: after two minutes of warm-up, memory may rise by at
 * most 1 MB a minute. The short form takes a minute, up to two where the memory rises at first, and only
 * finds gross leaks. Control: nothing is deleted, and the nodes are large.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createNode, getNode, idIn, patchNode, putMedia, send } from './support/client.mjs';
import { pause, serve, workDirectory } from './support/program.mjs';
import { acknowledged, expect, finish, isControl, isShort, round } from './support/report.mjs';

const isBrief = isShort || isControl;
const warmUpMs = isBrief ? 30_000 : 120_000;
const measuredMs = isBrief ? 30_000 : 600_000;
const sampleMs = 1000;
/**
 * In half a minute the collector of garbage alone moves the memory by up to 30 MB, up or down. The control rises by more than 80
 * a minute.
 */
const mostPerMinute = isBrief ? 40 : 1;
const workers = 8;

const data = join(workDirectory(), 'data');
const server = await serve(data);
const { url, pid } = server;
const statuses = new Map();
const note = (wanted, { status }) => {
  expect(status === wanted, `answered ${status} where ${wanted} was due`);
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  return status === wanted;
};

const kept = [];
for (let number = 0; number < 200; number += 1) kept.push(idIn(await createNode(url, `kept ${number}`)));
const anyKept = () => kept[Math.floor(Math.random() * kept.length)];
const remove = (path) => send(url, 'DELETE', `${path}?_format=json`).then((answer) => note(204, answer));

/** Records take little memory. Those of the control must take more than the collector's 40 MB a minute on a slow machine, too. */
const extra = isControl ? { field_description: 'x'.repeat(16_000) } : { field_extent: 'x'.repeat(200) };

const write = async () => {
  const answer = await createNode(url, 'comes and goes', extra);
  if (!note(201, answer)) return;
  acknowledged(1);
  note(200, await patchNode(url, idIn(answer), { title: 'changed' }));
  if (!isControl) await remove(`/node/${idIn(answer)}`);
};

/** A second upload to the same node would replace the bytes of the first, so each worker has a node of its own. */
const upload = async (node, name) => {
  const answer = await putMedia(url, node, 'b'.repeat(20_000), name);
  if (!note(201, answer)) return;
  acknowledged(1);
  if (isControl) return;
  const media = idIn(answer);
  const { json } = await send(url, 'GET', `/media/${media}?_format=json`);
  await remove(`/media/${media}`);
  await remove(`/entity/file/${json.field_media_file[0].target_id}`);
};

let isOver = false;
const work = async (worker) => {
  for (let turn = 0; !isOver; turn += 1) {
    const kind = turn % 10;
    if (kind < 7) note(200, await getNode(url, anyKept()));
    else if (kind < 9) await write();
    else await upload(isControl ? idIn(await createNode(url, 'a holder')) : kept[worker], `soak-${worker}-${turn}`);
    if (turn % 50 === 0) note(200, await send(url, 'GET', '/jwt/token'));
  }
};

const residentMb = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
const descriptors = () => readdirSync(`/proc/${pid}/fd`).length;

/** MB a minute: the median of the slopes between all pairs of samples, which a single large sample does not move. */
const slopeOf = (samples) => {
  const slopes = samples.flatMap(([time, size], at) =>
    samples.slice(at + 1).map(([later, other]) => ((other - size) / (later - time)) * 60_000),
  );
  return slopes.sort((one, other) => one - other)[Math.floor(slopes.length / 2)];
};

const working = Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
await pause(warmUpMs);
const before = { memory: residentMb(), descriptors: descriptors() };
const measured = async () => {
  const samples = [];
  const end = performance.now() + measuredMs;
  while (performance.now() < end) {
    samples.push([performance.now(), residentMb()]);
    await pause(sampleMs);
  }
  return slopeOf(samples);
};
let slope = await measured();
// What leaks rises in every half minute; what the collector has not yet taken does not.
for (let tries = 1; isShort && !isControl && slope >= mostPerMinute && tries < 3; tries += 1) slope = await measured();
isOver = true;
await working;
round();
const requests = [...statuses.values()].reduce((sum, count) => sum + count, 0);
expect(slope < mostPerMinute, `memory rises by ${slope.toFixed(2)} MB a minute; ${mostPerMinute} is allowed`);
const open = descriptors();
expect(open <= before.descriptors + 5, `${open} descriptors are open, ${before.descriptors} after the warm-up`);
process.stdout.write(
  `  ${requests} requests, memory ${before.memory.toFixed(0)} to ${residentMb().toFixed(0)} MB, ` +
    `${slope.toFixed(2)} MB a minute\n`,
);
const { code } = await server.stop();
expect(code === 0, `the process ended with ${code}`);
finish();
