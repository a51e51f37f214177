/** The recorded writes again, in their order, on the starter site: each sends the messages that the real site has sent, and no others. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import type { KeptEvent } from '../../src/openapi/openapi-host.ts';
import { targetIds, type World } from '../../src/repository/repository.ts';
import { root, type TestAtoll } from '../support/atoll.ts';
import { pngBytes } from '../support/png.ts';
import { starterSiteAtoll } from './sending-site.ts';
import { entityKey } from '../../src/openapi/openapi-records.ts';
import type { Json, JsonObject } from '../../src/basics/json.ts';

type Message = { readonly file: string; readonly exchange: number; readonly queue: string; readonly body: JsonObject };
type Write = {
  readonly file: string;
  readonly exchange: number;
  readonly note?: string;
  readonly method: string;
  readonly path: string;
  readonly as: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: JsonObject;
  readonly text?: string | null;
  readonly status: number;
  readonly made?: string;
};

const read = (name: string): unknown =>
  JSON.parse(readFileSync(join(root, 'test/contract/recordings/living', name), 'utf8'));
const messages = read('messages.json') as readonly Message[]; // our own file
const recorded = read('writes.json') as readonly Write[]; // our own file
const writes = recorded
  // The starter site does not serve it. It has sent nothing.
  .filter(({ note }) => note !== 'PATCH file');

/** The terms of the recorded site, by their numbers, and those of the starter site here. */
const terms = new Map([
  ...[1, 3, 4, 5, 6, 8, 9, 10, 15].map((id) => [id, id] as const),
  ...([
    [11, 13],
    [12, 18],
    [13, 12],
    [14, 16],
    [19, 910],
  ] as const),
]);

/** The recorded numbers of records, and those that they have here. */
type Numbers = Map<string, number>;

const pathHere = (path: string, numbers: Numbers): string =>
  path
    .replace(/\/(node|media|entity\/file|taxonomy\/term)\/(\d+)/, (_, kind: string, id: string) => {
      const type = { 'entity/file': 'file', 'taxonomy/term': 'taxonomy_term' }[kind] ?? kind;
      return `/${kind}/${numbers.get(`${type}:${id}`) ?? id}`;
    })
    .replace(/(\/media\/\w+\/)(\d+)/, (_, start: string, id: string) => `${start}${terms.get(Number(id)) ?? id}`);

const bodyHere = (body: JsonObject, numbers: Numbers): JsonObject =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const type = { field_media_of: 'node', field_media_image: 'file' }[name];
      const [item] = value as readonly JsonObject[]; // the bodies of records have lists
      const id = item?.['target_id'];
      if (typeof id !== 'number') return [name, value];
      const here = type === undefined ? terms.get(id) : numbers.get(`${type}:${id}`);
      return [name, [{ target_id: here ?? id }]];
    }),
  );

const month = /\d{4}-\d\d/;

/** What tells messages apart; their whole form is tested with `recorded-messages.test.ts`. */
const essence = (queue: string, body: JsonObject, pathOf: (path: string) => string): readonly Json[] => {
  const object = body['object'] as {
    readonly url: readonly { readonly href: string }[];
    readonly isNewVersion?: boolean;
  };
  const attachment = body['attachment'] as { readonly content: JsonObject } | undefined;
  const {
    source_uri: source = null,
    destination_uri: to = null,
    file_upload_uri: place = null,
  } = attachment?.content ?? {};
  const address = (href: Json): Json =>
    typeof href === 'string' ? pathOf(href.slice('http://localhost:8000'.length)).replace(month, 'MONTH') : href;
  return [
    ...[queue, body['summary'] ?? null, object.isNewVersion ?? null],
    ...object.url.map(({ href }) => address(href)),
    ...[address(source), address(to)],
    typeof place === 'string' ? place.replace(month, 'MONTH') : place,
  ];
};

/** Other bytes for each write but those that send the same ones again. */
const bytesOf = (write: Write, at: number): Buffer | string =>
  typeof write.text === 'string' ? write.text : pngBytes(10 + at, 10, 50 + at);

const replay = async (atoll: TestAtoll, file: string): Promise<readonly (readonly [string, Json, Json])[]> => {
  const world = atoll.world();
  const numbers: Numbers = new Map();
  const seen: KeptEvent[] = [];
  let sent: Buffer | string = '';
  const found: (readonly [string, Json, Json])[] = [];
  const create = async (recorded: string, model: number): Promise<void> => {
    const body = {
      ...{ type: [{ target_id: 'islandora_object' }], title: [{ value: recorded }] },
      field_model: [{ target_id: terms.get(model) }],
    };
    const reply = await atoll.send('post', '/node?_format=json', 'admin').send(body).expect(201);
    numbers.set(recorded, (reply.body as { nid: [{ value: number }] }).nid[0].value); // a node has one
  };
  for (const [at, write] of writes.filter((each) => each.file === file).entries()) {
    const [, model] = /: model (\d+)/.exec(write.note ?? '') ?? [];
    if (model !== undefined) await create(`node:${77 + at}`, Number(model));
    await world.followUps?.settled();
    seen.push(...(world.events?.list() ?? []).slice(seen.length));
    if (!(write.note ?? '').includes('same bytes')) sent = bytesOf(write, at);
    const asked = atoll.send(write.method.toLowerCase(), pathHere(write.path, numbers), accountOf(write.as));
    for (const [name, value] of Object.entries(write.headers ?? {})) void asked.set(name, value);
    const reply = await (write.body === undefined
      ? write.text === undefined
        ? asked
        : asked.send(sent)
      : asked.send(bodyHere(write.body, numbers)));
    remember(write, reply, numbers);
    if (write.made?.startsWith('media:') === true) rememberFile(write.made, numbers, world.store.present);
    await world.followUps?.settled();
    const events = (world.events?.list() ?? []).slice(seen.length);
    seen.push(...events);
    const expected = messages.filter((each) => each.file === file && each.exchange === write.exchange);
    found.push([
      `${write.exchange} ${write.method} ${write.path} ${write.note ?? ''}: ${reply.status}`,
      events
        .filter(({ body }) => !isOfIcon(body) || expected.some((each) => isOfIcon(each.body)))
        .map(({ queue, body }) => essence(queue, body, (path) => path)),
      expected.map(({ queue, body }) => essence(queue, body, (path) => pathHere(path, numbers))),
    ]);
    expect(`${write.exchange}: ${reply.status}`).toBe(`${write.exchange}: ${write.status}`);
  }
  return found;
};

/** Keeps the number that a recorded record has here. */
const remember = ({ made }: Write, { headers, body }: Response, numbers: Numbers): void => {
  if (made === undefined) return;
  const { nid, mid, fid, tid } = Object(body) as Record<string, [{ value: number }] | undefined>; // a record, or nothing
  const [, inLocation] = /\/media\/(\d+)/.exec(String(headers['location'])) ?? [];
  numbers.set(made, (nid ?? mid ?? fid ?? tid)?.[0].value ?? Number(inLocation));
};

/** The files of the uploads, which no answer names. */
const filesOfMedia = new Map([
  ['media:33', 'file:39'],
  ['media:35', 'file:41'],
]);

const rememberFile = (made: string, numbers: Numbers, present: World['store']['present']): void => {
  const media = present?.get(entityKey('media', numbers.get(made) ?? 0));
  const file = filesOfMedia.get(made);
  const [id] = media === undefined ? [] : targetIds(media, 'field_media_image');
  if (file !== undefined && id !== undefined) numbers.set(file, id);
};

/** The icon of a media type is a file that the first upload makes. The recorded site had it before. */
const isOfIcon = (body: JsonObject): boolean => JSON.stringify(body['object']).includes('media-icons');
const accountOf = (as: string): string => (as === 'editor' ? as : 'admin');

describe.each(['derivative-events', 'events-of-changes', 'derivative-roundtrip', 'broker-down'])('%s', (file) => {
  it('sends what was recorded', async () => {
    const atoll = await starterSiteAtoll();
    const found = await replay(atoll, file);
    for (const [name, sent, recorded] of found) {
      // With the broker away, the real site has lost them.
      if (file !== 'broker-down') expect({ [name]: sent }).toEqual({ [name]: recorded });
    }
  });
});
