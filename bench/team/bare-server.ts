/**
 * What `bench/team.ts` measures Atoll against: `node:http` and `pg` alone, with the statements that Atoll sends for the same
 * request, one connection pool of the same size, no checks and no cache. It prints its port. Arguments: root, database, port.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Pool, types } from 'pg';
import { listedRecordModel } from '../../src/repository/repository-content.ts';
import { createReadWithRecord, readWithKey } from '../../src/team/read-ahead.ts';
import { loadNamedSite } from '../../src/application/application-disk.ts';
import type { Statement } from '../../src/team/postgres/database.ts';
import { listingValues } from '../../src/team/postgres/lists/listings.ts';
import { changesStatement, loadStatement, storedKey, writeStatement } from '../../src/team/postgres/statements.ts';
import { createNode } from './content.ts';
import { entityKey, type Entity } from '../../src/openapi/openapi-records.ts';

const [, , root = '.', connectionString = '', port = '0'] = process.argv;
/** As Atoll reads them: a bigint is a number. */
const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  20: Number,
  1016: (text) => JSON.parse(`[${text.slice(1, -1)}]`) as number[],
};
const asAtoll = {
  getTypeParser: (oid: number): ((text: string) => unknown) =>
    parsers[oid] ?? (types.getTypeParser as (of: number) => (text: string) => unknown)(oid),
};
const pool = new Pool({ connectionString, max: 10, types: asAtoll });
const site = await loadNamedSite(root, undefined);
const withRecord = createReadWithRecord(site.model);
const node = createNode(site);

const ask = async <Row>({ name, text }: Statement, values: readonly unknown[]): Promise<readonly Row[]> =>
  (await pool.query({ name, text, values: [...values] })).rows as Row[];

type World = { readonly id: number; readonly generation: number; seq: number; readonly chain: readonly number[] };
const found = await pool.query(
  `select id, generation, seq, chain, counters, totals from atoll_worlds where name = 'main'`,
);
const world = found.rows[0] as World & { readonly counters: string; readonly totals: string }; // the bench has filled it
let lastId = (JSON.parse(world.counters) as { node: number }).node;

/** What has changed since this process looked last. */
const check = async (): Promise<void> => {
  const [row] = await ask<{ seq: number }>(changesStatement, [world.id, world.seq, world.generation]);
  // An answer to an earlier question may come late.
  world.seq = Math.max(world.seq, row?.seq ?? 0);
};

type Loaded = { readonly key: string | null; readonly type: string | null; readonly record: string | null };
const load = (keys: readonly string[], indexes: readonly string[]): Promise<readonly Loaded[]> =>
  ask<Loaded>(loadStatement, [
    ...[world.id, world.chain],
    ...[keys.map((key) => key.split(':')[0]), keys.map((key) => Number(key.split(':')[1])), indexes.map(storedKey)],
  ]);

/** Three round trips, as Atoll needs them for a node that it has not kept. */
const read = async (id: number): Promise<string | undefined> => {
  await check();
  const key = entityKey('node', id);
  const rows = await load([key], readWithKey(key));
  const text = rows.find((row) => row.key === null)?.record ?? undefined;
  if (text === undefined) return undefined;
  const entity = JSON.parse(text) as Entity; // the bench has written it
  const { keys, indexes } = withRecord(entity);
  await load(keys, indexes);
  return JSON.stringify(entity.fields);
};

/** One statement for one record. Writes wait for each other, because each depends on the number of the change before. */
let writing: Promise<unknown> = Promise.resolve();
const write = (entity: Entity): Promise<unknown> => {
  const next = writing.then(async () => {
    const keys = [...new Set(listedRecordModel.indexKeys(entity).map(storedKey))];
    const change = JSON.stringify({
      touched: [entityKey('node', entity.id), ...keys],
      put: [entityKey('node', entity.id)],
    });
    const [written] = await ask<{ seq: number }>(writeStatement, [
      ...[world.id, world.generation, world.seq, world.chain[0], true, world.counters, world.totals],
      ...[[entity.type], [entity.id], [entity.bundle], [JSON.stringify(entity)]],
      ...[keys, keys.map(() => entity.type), keys.map(() => entity.id)],
      ...[[], [], [], change, Date.now()],
      ...listingValues([entity], listedRecordModel),
    ]);
    if (written === undefined) throw new Error('Somebody else has written.');
    world.seq = written.seq;
  });
  writing = next.catch(() => undefined);
  return next;
};

const bodyOf = async (
  request: IncomingMessage,
): Promise<{ readonly title?: readonly [{ readonly value: string }] }> => {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return JSON.parse(Buffer.concat(pieces).toString()) as { readonly title?: readonly [{ readonly value: string }] };
};

const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const id = Number(/^\/node\/(\d+)/.exec(request.url ?? '')?.[1] ?? 0);
  let status = 200;
  let text: string | undefined;
  if (request.method === 'GET') text = await read(id);
  else {
    const body = await bodyOf(request);
    const isNew = request.method === 'POST';
    if (isNew) await load(['user:1', 'taxonomy_term:23'], []);
    else await load([entityKey('node', id)], []);
    await check();
    const entity = node(isNew ? (lastId += 1) : id, body.title?.[0].value);
    await write(entity);
    status = isNew ? 201 : 200;
    text = JSON.stringify(entity.fields);
  }
  if (text === undefined) response.writeHead(404).end();
  else
    response
      .writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) })
      .end(text);
};

const server = createServer((request, response) => {
  respond(request, response).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    response.writeHead(500).end();
  });
});
server.listen(Number(port), '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(
    `${JSON.stringify({ url: `http://127.0.0.1:${typeof address === 'object' ? String(address?.port) : port}` })}\n`,
  );
});
