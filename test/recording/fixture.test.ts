/** A recording of a repository becomes a repository: every record and every byte that was seen is there again. */
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { entityTypes, canonicalPath } from '../../src/repository/repository.ts';
import { recordedFixture } from '../../src/checks/recording/fixture/recorded-fixture.ts';
import { openRecorder } from '../../src/exchange/exchange-files.ts';
import { loadSite } from '../support/site-sources.ts';
import { createSender, type Sender } from '../../src/exchange/exchange-target.ts';
import { headerValue, headerValues, type WireExchange } from '../../src/exchange/exchange.ts';
import { root } from '../support/atoll.ts';
import { runHere } from '../support/command.ts';
import { startProgram, withDirectory } from '../support/program.ts';
import { basic } from '../support/requests.ts';
import { send, startServer, type TestServer } from '../support/server.ts';
import { answers, answersJson, exchange, json, record, recorded, textOf, type Parts } from './exchanges.ts';

jest.setTimeout(60_000);

const site = await loadSite(join(root, 'data/site'));

type SentRequest = Parameters<Sender['send']>[0];
type Walk = (request: SentRequest) => Promise<WireExchange>;

/** Records what the walk asks of a server, as an administrator. */
const recordWalk = async (
  server: TestServer,
  directory: string,
  steps: (walk: Walk) => Promise<void>,
): Promise<void> => {
  const sender = createSender({ baseUrl: server.url });
  const recorder = await openRecorder(directory, { target: server.url });
  try {
    await steps(async (request) => {
      const authorization = ['Authorization', String(basic('admin').headers['Authorization'])] as const;
      const done = await sender.send({
        account: 'admin',
        ...request,
        headers: [authorization, ...(request.headers ?? [])],
      });
      await recorder.add(done);
      return done;
    });
  } finally {
    await recorder.close();
    sender.close();
  }
};

type Items = readonly { readonly value?: unknown; readonly url?: unknown }[];
type Shown = Readonly<Record<string, Items>>;

const jsonPath = (type: string, id: number): string => `${canonicalPath(type, id)}?_format=json`;
const bodyIn = ({ reply }: WireExchange): Shown => JSON.parse(textOf(reply.body)) as Shown; // a record of the contract

/** What an exchange shows of a record, whichever server it is from. */
const shown = ({ reply }: WireExchange, server: { readonly url: string }): unknown => {
  const here = (text: string): string => text.replaceAll(server.url, 'http://here');
  const isJson = headerValue(reply.headers, 'content-type')?.includes('json') === true;
  return [
    reply.status,
    headerValues(reply.headers, 'link').map(here),
    isJson ? (JSON.parse(here(textOf(reply.body))) as unknown) : reply.body.sha256,
  ];
};

const highest: readonly (readonly [string, number])[] = [
  ['node', 30],
  ['media', 63],
  ['file', 66],
  ['taxonomy_term', 45],
  ['user', 6],
];

describe('A repository that was walked', () => {
  it('is there again: the JSON of every record with its links, the bytes of every file, and accounts that may sign in', async () => {
    const server = await startServer();
    const originals = new Map<string, unknown>();
    await withDirectory(async (directory) => {
      const [recording, fixture] = [join(directory, 'recording'), join(directory, 'fixture')];
      try {
        await recordWalk(server, recording, async (walk) => {
          const keep = async (path: string): Promise<WireExchange> => {
            const done = await walk({ method: 'GET', path });
            if (done.reply.status === 200) originals.set(path, shown(done, server));
            return done;
          };
          for (const [type, last] of highest) {
            for (let id = 1; id <= last; id += 1) {
              const done = await keep(jsonPath(type, id));
              if (type === 'file') await keep(String(bodyIn(done)['uri']?.[0]?.url));
            }
          }
          // Nothing can be made of these, and nothing goes wrong.
          for (const path of ['/node/1?_format=jsonld', '/node/1/linkset', '/node/999?_format=json'])
            await walk({ method: 'GET', path });
        });
      } finally {
        await server.stop();
      }
      const ended = await runHere(['fixture', 'from-recording', recording, '--to', fixture]);
      expect(ended).toMatchObject({ code: 0, error: '' });
      expect(ended.out).toMatch(
        /^Wrote \d+ records and \d+ blobs to .*: 30 nodes, 63 media, 66 files, 45 terms, 6 accounts\.\n$/,
      );
      const again = await startServer({ fixture });
      try {
        const records = highest.reduce((sum, [, last]) => sum + last, 0);
        expect(originals.size).toBe(records + 66);
        await recordWalk(again, join(directory, 'again'), async (walk) => {
          for (const [path, original] of originals)
            expect([path, shown(await walk({ method: 'GET', path }), again)]).toEqual([path, original]);
        });
        expect((await send(again, 'GET', '/jwt/token', { as: 'editor' })).status).toBe(200);
      } finally {
        await again.stop();
      }
    });
  });

  it('is as it was at the end of the recording, with what was uploaded, changed and deleted in it', async () => {
    const server = await startServer();
    await withDirectory(async (directory) => {
      const [recording, data] = [join(directory, 'recording'), join(directory, 'data')];
      const headers = Object.entries(json);
      let media = 0;
      try {
        await recordWalk(server, recording, async (walk) => {
          for (const id of [5, 6, 7]) await walk({ method: 'GET', path: jsonPath('node', id) });
          const body = JSON.stringify({ type: [{ target_id: 'islandora_object' }], title: [{ value: 'A new title' }] });
          await walk({ method: 'PATCH', path: jsonPath('node', 5), headers, body });
          await walk({ method: 'DELETE', path: '/node/6?_format=json' });
          const upload = { 'Content-Type': 'text/plain', 'Content-Location': 'public://walk/notes.txt' };
          const made = await walk({
            ...{ method: 'PUT', path: '/node/7/media/file/16', body: 'Words that were sent.' },
            headers: Object.entries(upload),
          });
          media = Number(/\/media\/(\d+)/.exec(headerValue(made.reply.headers, 'location') ?? '')?.[1]);
          await walk({ method: 'GET', path: jsonPath('media', media) });
        });
      } finally {
        await server.stop();
      }
      const ended = await runHere(['import', '--from-recording', recording, '--data', data]);
      expect(ended.code).toBe(0);
      expect(ended.error).toMatch(/file \d+ was not seen, and is made from references to it\./);
      expect(ended.error).toMatch(
        /node \d+ was not seen, and \d+ records? refers? to it: record GET \/node\/\d+\?_format=json, too\./,
      );
      const again = await startProgram(['--data', data]);
      try {
        const shownAs = async (type: string, id: number) => (await send(again, 'GET', jsonPath(type, id))).json();
        expect((await shownAs('node', 5))['title']?.[0]?.value).toBe('A new title');
        expect((await send(again, 'GET', jsonPath('node', 6))).status).toBe(404);
        const file = (await shownAs('media', media))['field_media_file']?.[0] as { url?: string };
        const notes = await send(again, 'GET', new URL(file.url ?? '').pathname);
        expect(notes.body.toString()).toBe('Words that were sent.');
        // What the site begins with is there, too, and new ids come after those that were seen.
        expect((await send(again, 'GET', jsonPath('taxonomy_term', 24))).status).toBe(200);
        const type = [{ target_id: 'islandora_object' }];
        const body = { type, title: [{ value: 'New' }], field_model: [{ target_id: 24 }] };
        expect((await send(again, 'POST', '/node?_format=json', { json: body })).json()['nid']?.[0]?.value).toBe(8);
      } finally {
        await again.stop();
      }
    });
  });
});

const uuid = (end: number): string => `00000000-0000-4000-8000-${String(end).padStart(12, '0')}`;
const time = '2024-01-02T03:04:05+00:00';
const date = { value: time, format: 'Y-m-d\\TH:i:sP' };
/** Fields that have one value each. */
const values = (fields: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, [{ value }]]));

const node = (id: number, more: object = {}): object => ({
  ...values({ nid: id, uuid: uuid(id), vid: id, langcode: 'en', title: `Object ${id}`, status: true }),
  ...values({ default_langcode: true }),
  type: [{ target_id: 'islandora_object', target_type: 'node_type', target_uuid: uuid(999) }],
  uid: [{ target_id: 2, target_type: 'user', target_uuid: uuid(2), url: '/base/user/2' }],
  created: [date],
  changed: [date],
  ...more,
});

const shows = (path: string, body: unknown): Parts => ({ path: `${path}?_format=json`, ...answersJson(body) });

const madeOf = async (parts: readonly (Parts | WireExchange)[]) => recordedFixture(await recorded(parts), site);

describe('A recording of another site', () => {
  it('gives what the site can have, and names what it cannot', async () => {
    const { entities, notes } = await madeOf([
      shows(
        '/node/1',
        node(1, {
          field_shelf: [{ value: 'A 12' }],
          field_edtf_date: [{ value: 'some day' }],
          field_subject: [
            { target_id: 77, target_type: 'taxonomy_term', target_uuid: uuid(77), url: '/base/taxonomy/term/77' },
          ],
        }),
      ),
      shows('/node/2', node(2, { type: [{ target_id: 'article', target_type: 'node_type', target_uuid: uuid(998) }] })),
      shows('/node/3', node(3, { default_langcode: [{ value: false }], langcode: [{ value: 'fr' }] })),
      shows('/node/1/members', [node(4), node(5, { created: [{ value: 'yesterday', format: 'Y-m-d\\TH:i:sP' }] })]),
    ]);
    expect(entities.map(({ type, id }) => `${type} ${id}`)).toEqual(['node 1', 'node 4', 'node 5']);
    expect(Object.keys(entities[0]?.fields ?? {})).not.toContain('field_shelf');
    expect(notes).toEqual([
      'node 3: its translation fr is left out.',
      'node 2 is left out: the site has no node bundle "article".',
      'node islandora_object: field_shelf is left out, in one record: the site has no such field.',
      expect.stringMatching(
        /^node islandora_object: created is left out, in one record: The specified date "yesterday"/,
      ),
      expect.stringMatching(/^node 1: field_edtf_date is left out: /),
      'taxonomy_term 77 was not seen, and 1 record refers to it: record GET /taxonomy/term/77?_format=json, too.',
    ]);
  });

  it('gives accounts as they were seen: those of the site keep their password, others have none', async () => {
    const account = (uid: number, name: string) =>
      values({ uid, uuid: uuid(uid), langcode: 'en', name, created: time, changed: time, default_langcode: true });
    const { entities } = await madeOf([shows('/user/2', account(2, 'Renamed')), shows('/user/50', account(50, 'Jo'))]);
    expect(
      entities.map(({ id, password, fields }) => [id, password !== undefined, fields['name'], fields['status']]),
    ).toEqual([
      [2, true, [{ value: 'Renamed' }], [{ value: true }]],
      [50, false, [{ value: 'Jo' }], [{ value: true }]],
    ]);
  });

  it('gives the bytes of a file by its address, of the size that it names, also where its text lost a mail address', async () => {
    const file = (fid: number, filename: string, filesize: number) => ({
      ...values({ fid, uuid: uuid(fid), langcode: 'en', filename, filemime: 'text/plain', filesize, status: true }),
      ...values({ created: time, changed: time }),
      uid: [{ target_id: 1 }],
      uri: [{ value: `public://${filename}`, url: `/base/sites/default/files/${filename}` }],
    });
    const text = (path: string, body: string): Parts => ({ path, ...answers({ 'Content-Type': 'text/plain' }, body) });
    const { entities, notes } = await madeOf([
      shows('/entity/file/1', file(1, 'a b.txt', 5)),
      text('/sites/default/files/a%20b.txt', 'first'),
      text('/sites/default/files/a%20b.txt', 'a later error page'),
      shows('/entity/file/2', file(2, 'mail.txt', 21)),
      text('/sites/default/files/mail.txt', 'Ask jo@library.example'),
      shows('/entity/file/3', file(3, 'none.txt', 9)),
      shows('/entity/file/4', { ...file(4, 'far.txt', 9), uri: [{ value: 'elsewhere://far.txt', url: '/x' }] }),
    ]);
    expect(entities.map(({ id, blob }) => [id, blob?.size])).toEqual([
      [1, 18],
      [2, 27],
      [3, undefined],
    ]);
    expect(notes).toEqual([
      'file 1: 18 bytes were recorded, not 5.',
      'file 2: 27 bytes were recorded, not 21.',
      'file 3: its bytes were not recorded.',
      'file 4: its bytes were not recorded.',
      expect.stringMatching(/^file 4 is left out: the site has no storage "elsewhere"/),
    ]);
  });

  it('says which answers were cut off', async () => {
    const whole = exchange(shows('/node/1', node(1)));
    const body = { ...whole.reply.body, kept: whole.reply.body.kept.subarray(0, 50), isWhole: false };
    const { entities, notes } = await madeOf([{ ...whole, reply: { ...whole.reply, body } }]);
    expect([entities, notes]).toEqual([
      [],
      ['exchanges/000001-GET-node-1.json: its answer was cut off, so nothing is taken from it.'],
    ]);
  });

  it('that shows no record is refused, and so are two sources or none', async () => {
    await withDirectory(async (directory) => {
      const recording = join(directory, 'r');
      await record(recording, [{ reply: { body: '<html></html>' } }]);
      const importing = (...args: string[]) => runHere(['import', '--data', join(directory, 'data'), ...args]);
      expect(await importing('--from-recording', recording)).toMatchObject({
        code: 2,
        error: expect.stringContaining('no answer of it shows a record that the site has'),
      });
      expect(await importing('--from-recording', recording, '--from', recording)).toMatchObject({
        code: 2,
        error: expect.stringContaining('Name one source'),
      });
      expect(await importing()).toMatchObject({ code: 2, error: expect.stringContaining('Name one source') });
    });
  });

  it('has every type of record in its counts', async () => {
    const { counts } = await madeOf([shows('/node/1', node(1))]);
    expect([...counts.keys()]).toEqual(entityTypes);
  });
});
