/**
 * A task as an agent does it, with the program itself over standard input and output: "upload a thumbnail for object 5 and
 * show it", through a wrong content type, a missing CSRF token and a missing permission. Every request comes from an answer.
 */
import { spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { pngBytes } from '../support/png.ts';
import { programFile } from '../support/program.ts';
import { until } from '../support/until.ts';
import { askingOf, patient, type Answer } from './agent.ts';

jest.setTimeout(600_000);

let client: Client;
let transport: StdioClientTransport;
let log = '';
beforeAll(async () => {
  transport = new StdioClientTransport({ command: process.execPath, args: [programFile, 'mcp'], stderr: 'pipe' });
  transport.stderr?.on('data', (piece: Buffer) => (log += piece.toString()));
  client = new Client({ name: 'a script', version: '1.0.0' });
  await client.connect(transport, patient);
});
afterAll(() => client.close());

const ask = (tool: string, given: Answer): Promise<Answer> => askingOf(client).ask(tool, given);

/** A part of an answer. The schema of its tool has been checked by the client. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the caller names what the schema says
const part = <T>(answer: Answer, name: string): T => answer[name] as T;

type Correction = { readonly arguments?: Answer; readonly changes: readonly string[]; readonly expected: number };

/** Sends what the answer says, until an answer is right. Returns it with every change that was made. */
const tryUntilRight = async (
  first: Answer,
): Promise<{ readonly answer: Answer; readonly changes: readonly string[] }> => {
  let given = first;
  const changes: string[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    const answer = await ask('try_request', given);
    if (part<number>(answer, 'status') < 400) return { answer, changes };
    const corrected = part<Correction | undefined>(answer, 'corrected');
    if (corrected?.arguments === undefined) throw new Error(`No correction: ${JSON.stringify(answer)}`);
    changes.push(...corrected.changes);
    given = corrected.arguments;
  }
  throw new Error(`Not right after five turns: ${changes.join('; ')}`);
};

it('a thumbnail for object 5 is uploaded and shown with the answers of tools alone', async () => {
  const [found] = part<Answer[]>(await ask('find_operations', { words: 'upload a file' }), 'operations');
  const upload = await ask('explain_operation', { operation: found?.['operation'] });
  const header = part<Answer[]>(upload, 'parameters').find(
    (each) => each['in'] === 'header' && each['required'] === true,
  );
  const [uses] = part<Answer[]>(await ask('entities', { type: 'taxonomy_term', text: 'thumbnail' }), 'data');
  const image = await ask('describe_bundle', { type: 'media', bundle: 'image' });
  const file = part<Answer[]>(image, 'items').find((field) => field['uploadPath'] !== undefined);
  const create = part<{ create: Answer & { json: Answer } }>(image, 'bundle').create;
  const { world, url } = await ask('worlds', { action: 'fork' });

  // The bytes, sent as a text, without the header that names the file, with a cookie alone, by somebody who may not.
  const bytes = pngBytes();
  const wrong = { world, account: 'plain', authentication: 'session' };
  const uploaded = await tryUntilRight({
    ...{ ...wrong, method: upload['method'], path: file?.['uploadPath'], base64: bytes.toString('base64') },
    headers: { 'Content-Type': 'text/plain' },
  });
  expect(uploaded.changes).toEqual([
    'Content-Type: application/octet-stream in place of text/plain',
    `${String(header?.['name'])}: ${String(header?.['example'])}, which was missing`,
    expect.stringMatching(/^X-CSRF-Token: /),
    expect.stringMatching(/^account \w+ in place of plain: /),
    expect.stringMatching(/^Content-Disposition: .*\.png", because these extensions are allowed: png /),
  ]);
  const fid = part<{ json: { fid: { value: number }[] } }>(uploaded.answer, 'data').json.fid[0]?.value;

  // The media, in the same wrong ways. The example of the bundle says how the body looks.
  const made = await tryUntilRight({
    ...{ ...wrong, method: create['method'], path: create['path'], headers: { 'Content-Type': 'text/plain' } },
    body: JSON.stringify({
      ...create.json,
      [String(file?.['name'])]: [{ target_id: fid }],
      field_media_of: [{ target_id: 5 }],
      field_media_use: [{ target_id: uses?.['id'] }],
    }),
  });
  expect(made.changes).toEqual([
    'Content-Type: application/json in place of text/plain',
    expect.stringMatching(/^X-CSRF-Token: /),
    expect.stringMatching(/^account \w+ in place of plain: /),
  ]);

  // Shown as a client shows it: from the object by its links.
  const account = part<string>(made.answer, 'account');
  const seen = { world, account };
  const address = part<{ headers: { location: string } }>(made.answer, 'data').headers.location;
  const path = `${address.slice(String(url).length)}?_format=json`;
  const links = await ask('follow_link', { ...seen, path: '/node/5?_format=json' });
  expect(part<Answer[]>(links, 'data')).toContainEqual({ rel: 'related', title: uses?.['title'], path });
  const content = await ask('follow_link', { ...seen, path, rel: 'describes' });
  expect(part(content, 'target')).toMatchObject({ status: 200, type: 'image/png', bytes: bytes.length });

  // What went wrong on the way stands in the traffic of that world, and nothing of it happened elsewhere.
  expect(await ask('last_problems', { world, show: 'refused' })).toMatchObject({ found: 2 });
  expect(await ask('last_problems', {})).toMatchObject({ found: 0 });
  const [main, own] = await Promise.all(
    [undefined, world].map((each) =>
      ask('entities', { type: 'media', of: 5, ...(each === undefined ? {} : { world: each }) }),
    ),
  );
  expect(part<number>(own ?? {}, 'total')).toBe(part<number>(main ?? {}, 'total') + 1);
});

it('standard output has the protocol alone, and the program ends with its input', async () => {
  expect(log).toMatch(/^atoll mcp: serving http:\/\/localhost:\d+ in memory\n$/);
  const child = spawn(process.execPath, [programFile, 'mcp'], { stdio: ['pipe', 'pipe', 'pipe'] });
  let [out, error] = ['', ''];
  child.stdout.on('data', (piece: Buffer) => (out += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => (error += piece.toString()));
  const closed = new Promise<number | null>((resolve) => child.on('close', resolve));
  const version = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  child.stdin.write('no message\n');
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: version })}\n`);
  await until(() => out.includes('\n') && error.includes('serving'), 'it serves', 300_000);
  const url = /http:\/\/\S+/.exec(error)?.[0] ?? '';
  expect((await fetch(`${url}/_atoll/health`)).status).toBe(200);
  child.stdin.end();
  expect(await closed).toBe(0);
  expect(
    out
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: number }).id),
  ).toEqual([1]);
  await expect(fetch(`${url}/_atoll/health`)).rejects.toThrow();
});

it.each([
  [['--url', 'http://repository.invalid'], '--allow-remote'],
  [['--url', 'http://localhost:1', '--fixture', 'empty'], '--fixture is for a server that is started here'],
  [['--fixture', 'no-such-fixture'], 'no-such-fixture'],
])('atoll mcp %j is refused with what to do', async (args, text) => {
  const child = spawn(process.execPath, [programFile, 'mcp', ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  let error = '';
  child.stderr.on('data', (piece: Buffer) => (error += piece.toString()));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  expect([code, error]).toEqual([2, expect.stringContaining(text)]);
});
