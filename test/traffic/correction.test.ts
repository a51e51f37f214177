/** The corrected request for a broken one, which the server has to accept. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { components } from '../../src/client/generated/control.ts';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { tries } from '../support/long-run.ts';

type Schemas = components['schemas'];
type Entry = Schemas['TrafficEntry'];

let atoll: TestAtoll;

beforeAll(async () => {
  atoll = await createTestAtoll();
});

beforeEach(async () => {
  await atoll.reset();
});

const last = async (): Promise<Entry> => {
  const body: unknown = (await atoll.send('get', '/_atoll/traffic?limit=1').expect(200)).body;
  const [entry] = (body as Schemas['TrafficPage']).entries;
  if (entry === undefined) throw new Error('Nothing is remembered.');
  return entry;
};

/** One shell for all commands: to start one for each would cost more than the requests. */
const shell = spawn('sh', [], { env: { PATH: process.env['PATH'] ?? '' } });
shell.stdout.setEncoding('utf8');
const ended = once(shell, 'close');
shell.stdin.write(`curl() { for word; do printf '%s\\0' "$word"; done; }\n`);
afterAll(async () => {
  shell.stdin.end();
  expect(await ended).toEqual([0, null]);
});

/** What a shell gives to the program `curl`. */
const wordsOf = async (command: string): Promise<string[]> => {
  let printed = '';
  const whole = new Promise<void>((resolve) => {
    const listen = (piece: string): void => {
      printed += piece;
      if (!printed.endsWith('\0the end\0')) return;
      shell.stdout.off('data', listen);
      resolve();
    };
    shell.stdout.on('data', listen);
  });
  shell.stdin.write(`${command}\nprintf '\\0the end\\0'\n`);
  await whole;
  return printed.split('\0').slice(0, -3);
};

/** Does what curl would do with the options that are used. */
const run = async (command: string): Promise<Entry> => {
  const words = await wordsOf(command);
  const after = (option: string): string[] =>
    words.flatMap((word, index) => (words[index - 1] === option ? [word] : []));
  const address = words.find((word) => word.startsWith('http://')) ?? '';
  const request = atoll.send((after('-X')[0] ?? 'get').toLowerCase(), address.replace('http://localhost:8000', ''));
  for (const header of after('-H')) {
    const colon = header.indexOf(': ');
    void request.set(header.slice(0, colon), header.slice(colon + 2));
  }
  const [credentials] = after('-u');
  if (credentials !== undefined) void request.set('Authorization', `Basic ${btoa(credentials)}`);
  const [data] = [...after('--data'), ...after('--data-binary').map(() => 'bytes')];
  await (data === undefined ? request : request.send(data));
  return last();
};

const send = (body: object | string, path = '/node?_format=json', method = 'post') =>
  atoll.send(method, path, 'admin').set('Content-Type', 'application/json').send(body);

const corrected = async (): Promise<Entry> => {
  const { corrected: command } = await last();
  if (command === undefined) throw new Error('There is no corrected request.');
  return run(command);
};

const collection = {
  type: [{ target_id: 'islandora_object' }],
  title: [{ value: "A 'quoted' $HOME \\ box, Łódź" }],
  field_model: [{ target_id: 23, target_type: 'taxonomy_term' }],
};

describe('The corrected request is accepted', () => {
  it.each<[string, object | string]>([
    ['a required member is missing', { ...collection, type: undefined }],
    ['several are missing', { title: collection.title }],
    ['nothing is there', {}],
    ['a text is a number', { ...collection, title: [{ value: 5 }] }],
    ['an item is a bare text', { ...collection, title: ['A box'] }],
    ['a field is a bare text', { ...collection, title: 'A box' }],
    ['a member is not known', { ...collection, name: 'A box' }],
    ['a member of an item is not known', { ...collection, title: [{ value: 'A box', lang: 'en' }] }],
    ['a reference leads nowhere by its form', { ...collection, field_model: [{ target_id: 'Collection' }] }],
    ['a flag is a text', { ...collection, promote: [{ value: 'true' }] }],
    ['a list is null', { ...collection, field_model: null }],
    ['the body is a list', []],
    ['the body is no JSON', '{ title: 1 }'],
    ['there is no body', ''],
  ])('when %s: 201', async (_name, body) => {
    await send(body);
    const after = await corrected();
    expect(after).toMatchObject({ status: 201, verdict: { request: 'kept', reply: 'kept' }, requestFaults: [] });
  });

  it('when the Content-Type is missing or another: 201', async () => {
    for (const type of ['text/plain', 'application/hal+json', 'application/jsonp']) {
      await atoll
        .send('post', '/node?_format=json', 'admin')
        .set('Content-Type', type)
        .send(JSON.stringify(collection));
      expect((await last()).status).toBe(415);
      expect(await corrected()).toMatchObject({ status: 201, verdict: { request: 'kept' } });
    }
  });

  it('when _format is missing, or another than there is: 201, 200', async () => {
    await send(collection, '/node?_format=xml').expect(406);
    expect(await corrected()).toMatchObject({ status: 201, verdict: { request: 'kept' } });
    for (const path of ['/node/1', '/node/1?_format=hal_json', '/node/1?x=1']) {
      await atoll.send('get', path, 'admin').expect(406);
      expect(await corrected()).toMatchObject({ status: 200, verdict: { request: 'kept' } });
    }
  });

  it('keeps what was right: the same words, quoted for a shell', async () => {
    await send({ ...collection, extra: 1 });
    const { corrected: command = '' } = await last();
    const words = await wordsOf(command);
    expect(JSON.parse(words[words.indexOf('--data') + 1] ?? '')).toEqual(collection);
  });

  it.each<[unknown, object]>([
    [[{ target_id: '24' }], [{ target_id: 24 }]],
    [['24'], [{ target_id: 24 }]],
    ['24', [{ target_id: 24 }]],
    [{ target_id: '24' }, [{ target_id: 24 }]],
    [[{ target_id: '24', target_type: 'taxonomy_term', weight: 1 }], [{ target_id: 24, target_type: 'taxonomy_term' }]],
  ])('refers to the same term in another form: %j', async (fieldModel, right) => {
    await send({ ...collection, field_model: fieldModel });
    const { corrected: command = '' } = await last();
    const words = await wordsOf(command);
    expect(JSON.parse(words[words.indexOf('--data') + 1] ?? '')).toEqual({ ...collection, field_model: right });
    expect(await run(command)).toMatchObject({ status: 201, verdict: { request: 'kept' } });
  });

  it('repairs a patch of what is there: 200', async () => {
    await send({ title: [{ value: 5 }] }, '/node/1?_format=json', 'patch');
    expect(await corrected()).toMatchObject({ status: 200, verdict: { request: 'kept' } });
  });

  it('sends bytes with the type that they may have: 201', async () => {
    await atoll
      .send('post', '/file/upload/media/image/field_media_image?_format=json', 'admin')
      .set('Content-Type', 'image/png')
      .set('Content-Disposition', 'file; filename="a.png"')
      .send('x')
      .expect(415);
    const { corrected: command = '' } = await last();
    expect(command).toContain("'Content-Type: application/octet-stream'");
    expect(command).toContain('--data-binary @BODY');
  });
});

describe('A request with several faults', () => {
  const harbour = { type: 'islandora_object', title: 'Harbour' };

  it('is told all of them at once, beside the words of the server, which name another one', async () => {
    await send(harbour, '/node').expect(422);
    const { message, requestFaults } = await last();
    expect(message).toBe('Field values for "title" must use an array structure');
    expect(requestFaults.map(({ pointer, rule }) => [pointer, rule]).sort()).toEqual([
      ['/requestBody', 'required'],
      ['/requestBody/title', 'type'],
      ['/requestBody/type', 'type'],
    ]);
  });

  it('gets a command that a shell without variables runs, and that is accepted', async () => {
    await send(harbour, '/node').expect(422);
    const { corrected: command = '' } = await last();
    expect(command).toContain('-u admin:islandora ');
    expect(command).not.toContain('$');
    expect(await run(command)).toMatchObject({ status: 201, verdict: { request: 'kept' } });
  });

  it('of a session gets the password of its demo account, too', async () => {
    const login = await atoll.send('post', '/user/login?_format=json').send({ name: 'admin', pass: 'islandora' });
    const { csrf_token: token } = login.body as { readonly csrf_token: string };
    await atoll
      .send('post', '/node')
      .set({ Cookie: login.headers['set-cookie']?.[0]?.split(';')[0] ?? '', 'X-CSRF-Token': token })
      .send(harbour)
      .expect(422);
    expect((await last()).corrected).toContain('-u admin:islandora ');
  });

  it('in its head is told all of them', async () => {
    await atoll.send('post', '/node?_format=xml', 'admin').set('Content-Type', 'text/plain').send('{}');
    expect((await last()).requestFaults.map(({ pointer }) => pointer).sort()).toEqual([
      '/header/content-type',
      '/query/_format',
    ]);
  });
});

describe('An upload', () => {
  const upload = (headers: Readonly<Record<string, string>>) =>
    atoll
      .send('post', '/file/upload/media/image/field_media_image?_format=json', 'admin')
      .set({ 'Content-Type': 'application/octet-stream', ...headers })
      .send('x');

  it('without the header that names the file gets that of the example, then a name that the field takes: 201', async () => {
    await upload({}).expect(400);
    expect(await corrected()).toMatchObject({ status: 422, operation: 'uploadFile' });
    expect(await corrected()).toMatchObject({ status: 201, verdict: { request: 'kept' } });
  });

  it('of a file that the field does not take gets a name that it takes: 201', async () => {
    await upload({ 'Content-Disposition': 'file; filename="a.exe"' }).expect(422);
    expect((await last()).corrected).toMatch(/'Content-Disposition: file; filename="a\.\w+"'/);
    expect(await corrected()).toMatchObject({ status: 201, verdict: { request: 'kept' } });
  });
});

describe('No corrected request is offered', () => {
  it('for what is right, for what is refused for other reasons, and for what has no near relative', async () => {
    await atoll.send('get', '/node/1?_format=json').expect(200);
    expect(await last()).not.toHaveProperty('corrected');
    await atoll.send('get', '/nowhere').expect(404);
    expect(await last()).not.toHaveProperty('corrected');
    await send({ ...collection, field_model: [{ target_id: 99999, target_type: 'taxonomy_term' }] }).expect(422);
    expect(await last()).not.toHaveProperty('corrected');
  });

  it('for a body that was too long to be kept', async () => {
    await send({ ...collection, nonsense: 'x'.repeat(20_000) });
    expect((await last()).verdict.request).not.toBe('kept');
    expect(await last()).not.toHaveProperty('corrected');
  });
});

/** Without what only the records themselves can refuse. */
const bySchema = (faults: Entry['requestFaults']): Entry['requestFaults'] =>
  faults.filter(({ rule }) => rule !== 'validation' && rule !== 'responses');

describe('Any body', () => {
  it('is corrected to one that keeps the contract', async () => {
    const value = fc.jsonValue({ maxDepth: 2 });
    const member = fc.constantFrom('type', 'title', 'field_model', 'status', 'promote', 'field_description', 'nope');
    const bodies = fc.dictionary(member, fc.oneof(value, fc.array(fc.record({ value }), { maxLength: 2 })), {
      maxKeys: 5,
    });
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        await send({ ...collection, ...body });
        const { requestFaults } = await last();
        if (bySchema(requestFaults).length === 0) return;
        expect([body, bySchema((await corrected()).requestFaults)]).toEqual([body, []]);
      }),
      { numRuns: tries(60), seed: 7 },
    );
  });
});
