/** Requests to a server that may die at any moment, and the ledger of what it has acknowledged. */
import { createHash } from 'node:crypto';
import { randomBelow } from './chance.mjs';
import { acknowledged, loss } from './report.mjs';

const admin = `Basic ${Buffer.from('admin:islandora').toString('base64')}`;

/** Status 0 when no answer came. `json` is undefined for other bodies. */
export const send = async (url, method, path, { body, headers = {}, as = admin } = {}) => {
  try {
    const response = await fetch(`${url}${path}`, {
      method,
      body,
      headers: { ...(as === undefined ? {} : { authorization: as }), ...headers },
      ...(body !== undefined && typeof body.getReader === 'function' ? { duplex: 'half' } : {}),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const isJson = response.headers.get('content-type')?.includes('json') && bytes.length > 0;
    return {
      status: response.status,
      headers: response.headers,
      bytes,
      json: isJson ? JSON.parse(bytes.toString()) : undefined,
    };
  } catch (error) {
    return { status: 0, headers: new Headers(), bytes: Buffer.alloc(0), json: undefined, error };
  }
};

const asJson = { 'content-type': 'application/json' };
const nodeBody = (fields) =>
  JSON.stringify({
    type: [{ target_id: 'islandora_object' }],
    field_model: [{ target_id: 23 }],
    ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, [{ value }]])),
  });

export const createNode = (url, title, more = {}) =>
  send(url, 'POST', '/node?_format=json', { body: nodeBody({ title, ...more }), headers: asJson });
export const patchNode = (url, id, fields) =>
  send(url, 'PATCH', `/node/${id}?_format=json`, { body: nodeBody(fields), headers: asJson });
export const getNode = (url, id) => send(url, 'GET', `/node/${id}?_format=json`);
export const idIn = (answer) => Number(/\/(\d+)(?:\?.*)?$/.exec(answer.headers.get('location') ?? '')?.[1]);

/** The "Original File" term and a media type that takes text (the default site). */
const originalFile = 16;
export const putMedia = (url, node, bytes, name) =>
  send(url, 'PUT', `/node/${node}/media/file/${originalFile}`, {
    body: bytes,
    headers: { 'content-type': 'text/plain', 'content-location': `public://faults/${name}.txt` },
  });

export const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** The state of a record as one word: a title, the hash of a media's bytes, `absent`, or what is wrong. */
const stateOf = async (url, key) => {
  const [type, id] = key.split(':');
  const path = { node: `/node/${id}`, media: `/media/${id}`, file: `/entity/file/${id}` }[type];
  const answer = await send(url, 'GET', `${path}?_format=json`);
  if (answer.status === 404) return 'absent';
  if (answer.status !== 200) return `status ${answer.status}`;
  if (type === 'node') return answer.json.title[0].value;
  if (type === 'file') return 'present';
  const source = answer.json.field_media_file[0];
  if (source.url === undefined) return 'no file';
  const content = await send(url, 'GET', new URL(source.url, url).pathname);
  return content.status === 200 ? sha256(content.bytes) : `content ${content.status}`;
};

/** What each record may be: one state when its last write was answered, more while one is under way. */
export const createLedger = () => {
  const states = new Map();
  const fresh = new Set();
  const settle = (key, state) => {
    states.set(key, new Set([state]));
    fresh.add(key);
  };
  return {
    settle,
    size: () => states.size,
    keys: () => [...states.keys()],
    /** A write that turns a record from what it may be into `state`: kept open while nobody has answered. */
    write: async (key, state, request) => {
      states.get(key).add(state);
      fresh.add(key);
      const answer = await request();
      if (answer.status >= 200 && answer.status < 300) {
        settle(key, state);
        acknowledged(1);
      } else if (answer.status !== 0) states.get(key).delete(state);
      return answer;
    },
    /** A write that makes a record: known when it is answered. */
    create: async (type, state, request) => {
      const answer = await request();
      if (answer.status !== 201) return undefined;
      acknowledged(1);
      const id = idIn(answer);
      settle(`${type}:${id}`, state);
      return id;
    },
    /** Compares; `all` or what was written since the last time and a few others. Open records are settled. */
    verify: async (url, { all = false } = {}) => {
      const keys = all ? [...states.keys()] : [...fresh, ...sample([...states.keys()], 50)];
      fresh.clear();
      await inGroups([...new Set(keys)], 16, async (key) => {
        const state = await stateOf(url, key);
        const allowed = states.get(key);
        if (!allowed.has(state))
          loss(`${key} is "${state}", not ${[...allowed].map((each) => `"${each}"`).join(' or ')}`);
        states.set(key, new Set([state]));
      });
    },
  };
};

const sample = (keys, number) =>
  Array.from({ length: Math.min(number, keys.length) }, () => keys[randomBelow(keys.length)]);

const inGroups = async (entries, atOnce, work) => {
  const left = [...entries];
  const worker = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) await work(next);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
};

/**
 * Writes of every kind, without end until `isOver()` or the server does not answer: nodes made, changed and deleted,
 * media made, replaced and deleted, files deleted. Each worker has records of its own.
 */
export const work = async (url, ledger, isOver, { workers = 4, bytes = 3000 } = {}) => {
  let number = 0;
  const one = async (worker) => {
    let silent = 0;
    while (!isOver() && silent < 3) {
      const name = `w${worker}-${(number += 1)}-${Date.now().toString(36)}`;
      const node = await ledger.create('node', name, () => createNode(url, name));
      if (node === undefined) {
        silent += 1;
        continue;
      }
      await ledger.write(`node:${node}`, `${name} changed`, () => patchNode(url, node, { title: `${name} changed` }));
      const first = Buffer.from(name.repeat(Math.ceil(bytes / name.length)));
      const media = await ledger.create('media', sha256(first), () => putMedia(url, node, first, name));
      if (media !== undefined) await replaceAndDelete(url, ledger, { node, media, name, number });
      if (number % 5 === 0) {
        await ledger.write(`node:${node}`, 'absent', () => send(url, 'DELETE', `/node/${node}?_format=json`));
      }
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, worker) => one(worker)));
};

const replaceAndDelete = async (url, ledger, { node, media, name, number }) => {
  const second = Buffer.from(`second ${name}`);
  await ledger.write(`media:${media}`, sha256(second), () => putMedia(url, node, second, name));
  if (number % 3 !== 0) return;
  const found = await send(url, 'GET', `/media/${media}?_format=json`);
  const file = found.json?.field_media_file?.[0]?.target_id;
  const deleted = await ledger.write(`media:${media}`, 'absent', () =>
    send(url, 'DELETE', `/media/${media}?_format=json`),
  );
  if (deleted.status !== 204 || file === undefined) return;
  ledger.settle(`file:${file}`, 'present');
  await ledger.write(`file:${file}`, 'absent', () => send(url, 'DELETE', `/entity/file/${file}?_format=json`));
};
