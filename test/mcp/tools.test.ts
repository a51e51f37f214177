/** The tools of `atoll mcp`, each as the client of the SDK meets it: its schemas, its answers, and what it refuses. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { startAtoll, type Atoll } from '../../src/cli/entries/atoll.ts';
import { maxAnswerBytes } from '../../src/mcp/call-tool.ts';
import { ledgerField } from '../drupal/imported.ts';
import { inFolder, writeObjects } from '../drupal/written-folder.ts';
import { describeLimits } from './limits.suite.ts';
import { describeNames } from './names.suite.ts';
import { connectAgent, schemasOf, type Agent, type Answer } from './agent.ts';

jest.setTimeout(600_000);

let atoll: Atoll;
let agent: Agent;
beforeAll(async () => {
  atoll = await startAtoll();
  agent = await connectAgent(atoll);
  await agent.ask('worlds', { action: 'fork', name: 'own' });
});
afterAll(async () => {
  await agent.leave();
  await atoll.close();
});

const node = {
  type: [{ target_id: 'islandora_object' }],
  title: [{ value: 'Made by an agent' }],
  field_model: [{ target_id: 23 }],
};

/** A call of each tool that succeeds, and a part of its answer. */
const calls: readonly (readonly [tool: string, given: Answer, answer: Answer])[] = [
  [
    'find_operations',
    { words: 'upload a file' },
    { operations: expect.arrayContaining([expect.objectContaining({ operation: 'uploadFile' })]) },
  ],
  [
    'find_operations',
    { words: 'find object by title' },
    { noOperation: expect.stringMatching(/^No operation .* tool entities/), operations: [] },
  ],
  [
    'find_operations',
    { words: 'find term by name' },
    {
      noOperation: expect.stringContaining('entities'),
      operations: expect.arrayContaining([expect.objectContaining({ operation: 'getTermFromTermName' })]),
    },
  ],
  ['find_operations', { words: 'undo my changes' }, { noOperation: expect.stringContaining('worlds') }],
  ['find_operations', { words: 'xyzzy' }, { noOperation: expect.stringContaining('Without words'), operations: [] }],
  [
    'explain_operation',
    { operation: 'createMedia' },
    {
      needsCsrfToken: true,
      notice: expect.stringContaining('"example"'),
      signIn: ['basic', 'token', 'session'],
      example: expect.objectContaining({ status: 201, requests: [expect.objectContaining({ account: 'admin' })] }),
      permissions: expect.arrayContaining([
        { account: 'anonymous', status: 401 },
        { account: 'plain', status: 403 },
      ]),
    },
  ],
  ['explain_operation', { operation: 'getNode' }, { relations: expect.arrayContaining(['related', 'canonical']) }],
  [
    'describe_bundle',
    { type: 'media' },
    { items: expect.arrayContaining([expect.objectContaining({ bundle: 'image' })]) },
  ],
  ['describe_bundle', { bundle: 'islandora_object' }, { bundle: expect.objectContaining({ expected: 201 }) }],
  [
    'describe_bundle',
    { bundle: 'image', field: 'langcode' },
    {
      field: expect.objectContaining({ name: 'langcode', type: 'language' }),
      items: expect.arrayContaining([{ value: 'fr', label: 'French' }]),
    },
  ],
  [
    'describe_bundle',
    { bundle: 'islandora_object', field: 'field_description' },
    {
      field: {
        name: 'field_description',
        label: 'Description',
        type: 'string_long',
        item: { value: 'text' },
        cardinality: 1,
      },
      items: [],
    },
  ],
  [
    'entities',
    { type: 'node', text: 'fishing fleet', account: 'plain' },
    { total: 1, data: [expect.objectContaining({ id: 5, status: 200 })] },
  ],
  ['entities', { type: 'node', id: 5 }, { data: expect.arrayContaining([{ field: 'nid', items: [{ value: 5 }] }]) }],
  [
    'follow_link',
    { path: '/node/5?_format=json' },
    { data: expect.arrayContaining([{ rel: 'related', title: 'Member of', path: '/node/2?_format=json' }]) },
  ],
  [
    'follow_link',
    { path: '/node/5?_format=json', rel: 'related', title: 'member' },
    { target: expect.objectContaining({ path: '/node/2?_format=json', status: 200 }) },
  ],
  [
    'try_request',
    { world: 'own', account: 'editor', method: 'POST', path: '/node?_format=json', json: node },
    {
      status: 201,
      request: 'kept',
      violations: [],
      data: expect.objectContaining({
        headers: expect.objectContaining({ location: expect.stringContaining('/~own/node/') }),
      }),
    },
  ],
  [
    'try_request',
    { world: 'own', method: 'GET', path: '/node/5' },
    {
      status: 406,
      request: 'broken',
      corrected: expect.objectContaining({
        arguments: { world: 'own', method: 'GET', path: '/node/5?_format=json' },
        expected: 200,
      }),
    },
  ],
  [
    'try_request',
    {
      world: 'own',
      account: 'admin',
      method: 'POST',
      path: '/node?_format=json',
      json: { ...node, title: 'Not in a list' },
    },
    {
      status: 422,
      corrected: expect.objectContaining({
        arguments: expect.objectContaining({ json: { ...node, title: [{ value: 'Not in a list' }] } }),
        expected: 201,
      }),
    },
  ],
  [
    'try_request',
    {
      ...{ world: 'own', account: 'editor', method: 'PUT', path: '/node/3/media/image/17', body: '{}' },
      headers: { 'Content-Type': 'image/png', 'Content-Location': 'public://agent.png' },
    },
    { status: 201, hints: expect.arrayContaining([expect.stringMatching(/^Advice at \/requestBody: .*\{\}/)]) },
  ],
  [
    'last_problems',
    { world: 'own', show: 'advice' },
    {
      found: 1,
      data: [
        expect.objectContaining({
          request: 'PUT /node/3/media/image/17',
          notStoredAsSent: [expect.stringMatching(/^\/requestBody: .*\{\}/)],
        }),
      ],
    },
  ],
  [
    'try_request',
    { method: 'PUT', path: '/taxonomy/term/1', world: 'own' },
    { status: 405, hints: [expect.stringContaining('PATCH (updateTerm)')] },
  ],
  [
    'last_problems',
    { world: 'own' },
    {
      data: expect.arrayContaining([
        expect.objectContaining({
          request: 'GET /node/5',
          violations: [expect.objectContaining({ rule: 'required', line: expect.any(Number) })],
          curl: expect.stringContaining('_format=json'),
        }),
      ]),
    },
  ],
  [
    'last_problems',
    { world: 'own', request: 1 },
    { data: expect.arrayContaining([{ answerHeaders: expect.anything() }]) },
  ],
  [
    'missing_coverage',
    { world: 'own' },
    {
      notice: expect.stringContaining('"missing"'),
      missing: expect.arrayContaining([{ operation: 'deleteNode', statuses: expect.stringContaining('204') }]),
    },
  ],
  [
    'missing_coverage',
    { world: 'own', operation: 'getNode', status: '404' },
    { missing: [expect.objectContaining({ status: 404, requests: [expect.objectContaining({ method: 'GET' })] })] },
  ],
  [
    'worlds',
    { action: 'list' },
    {
      worlds: expect.arrayContaining([
        expect.objectContaining({ name: 'own', yours: true }),
        expect.objectContaining({ name: 'main', yours: false }),
      ]),
    },
  ],
  ['worlds', { action: 'snapshot', world: 'own', name: 'before' }, { world: 'own' }],
  ['worlds', { action: 'restore', world: 'own', name: 'before' }, { world: 'own' }],
  ['worlds', { action: 'freeze', world: 'own', now: '2026-01-02T03:04:05Z' }, { now: '2026-01-02T03:04:05.000Z' }],
  ['worlds', { action: 'advance', world: 'own', seconds: 60 }, { now: '2026-01-02T03:05:05.000Z' }],
  ['worlds', { action: 'run', world: 'own' }, { world: 'own' }],
  ['worlds', { action: 'reset', world: 'own' }, { world: 'own' }],
  ['faults', { action: 'catalogue', fault: 'status' }, { faults: [expect.objectContaining({ name: 'status' })] }],
  [
    'faults',
    { action: 'add', world: 'own', fault: 'status', parameters: { status: 503 }, operations: ['getTerm'] },
    { id: 'f1' },
  ],
  [
    'try_request',
    { world: 'own', method: 'GET', path: '/taxonomy/term/1?_format=json' },
    { status: 503, hints: [expect.stringContaining('Faults are on in this world: status')] },
  ],
  ['faults', { action: 'list', world: 'own' }, { faults: [expect.objectContaining({ struck: 1 })] }],
  ['faults', { action: 'remove', world: 'own', id: 'f1' }, { faults: [] }],
  ['faults', { action: 'clear', world: 'own' }, { faults: [] }],
  [
    'mint_token',
    { account: 'editor' },
    { token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/), expires: expect.any(String) },
  ],
  [
    'audit_links',
    { from: ['/node/19'], accounts: ['anonymous'] },
    { walks: [expect.objectContaining({ account: 'anonymous' })], data: [] },
  ],
  [
    'verify_target',
    { only: ['link.node.syntax'] },
    { target: expect.stringContaining('http'), counts: expect.objectContaining({ failed: 0, error: 0 }), data: [] },
  ],
  ['worlds', { action: 'fork', name: 'short' }, { world: 'short', url: expect.stringContaining('/~short') }],
  ['worlds', { action: 'drop', world: 'short' }, { world: 'short' }],
];

describe('Every tool', () => {
  it('is listed with schemas that are valid, and there are at most 15', async () => {
    const { tools } = await agent.client.listTools();
    const ajv = new Ajv2020({ strict: true });
    for (const { name, inputSchema } of tools) {
      const schemas = await schemasOf(agent.client, name);
      expect(schemas.inputSchema).toEqual(inputSchema);
      expect(() => ajv.compile(schemas.inputSchema)).not.toThrow();
      expect(() => ajv.compile(schemas.outputSchema)).not.toThrow();
    }
    expect(tools.length).toBeLessThanOrEqual(15);
    expect(new Set([...calls.map(([tool]) => tool), 'import_site', 'compare_documents'])).toEqual(
      new Set(tools.map(({ name }) => name)),
    );
  });

  it('takes its part of 4,000 tokens, which the list costs in every conversation', async () => {
    const charactersOfToken = 4;
    const list = JSON.stringify(await agent.client.listTools());
    expect(list.length / charactersOfToken).toBeLessThanOrEqual(4000);
  });

  // `ask` throws for an answer that does not fit the schema of its tool.
  it('answers as its schema says, in at most 8 KB', async () => {
    for (const [tool, given, answer] of calls) {
      const said = await agent.ask(tool, given);
      expect([tool, given, said]).toEqual([tool, given, expect.objectContaining(answer)]);
      expect(Buffer.byteLength(JSON.stringify(said))).toBeLessThanOrEqual(maxAnswerBytes);
    }
  });

  it('refuses wrong arguments with what is right', async () => {
    for (const { name } of (await agent.client.listTools()).tools) {
      expect(await agent.refused(name, { nonsense: 1 })).toMatch(/nonsense.*\nRemedy: The arguments are: \w+/s);
    }
  });

  it('refuses a value with what it has to be', async () => {
    const add = { action: 'add', world: 'own', fault: 'status' };
    expect(await agent.refused('faults', { ...add, rate: 2, path: 'node' })).toMatch(
      /\/path: A path begins with a slash\. .*\/rate: A rate is a number from 0 to 1|\/rate: .*\/path: A path/s,
    );
    expect(await agent.refused('worlds', { action: 'snapshot', world: 'own', name: 'a/b' })).toMatch(
      /^The name of a snapshot has 1 to 100 letters.*\nRemedy: Correct "name"\./,
    );
  });

  it('says of a fault what its values may be', async () => {
    const { inputSchema } = (await agent.client.listTools()).tools.find(({ name }) => name === 'faults') ?? {};
    const { parameters, operations, path } = inputSchema?.properties as Readonly<Record<string, Answer>>; // of an object
    expect(parameters).toMatchObject({ description: expect.stringContaining('a JSON object such as {"status":503}') });
    expect(operations).toMatchObject({
      description: expect.stringContaining('only these operations, all when left out'),
    });
    expect(path).toMatchObject({ description: expect.stringMatching(/for one segment.*for the rest/) });
  });

  it('compares two documents: what breaks first', async () => {
    await inFolder(async (folder) => {
      const path = { get: { operationId: 'getIt', responses: { 200: { description: 'It.' } } } };
      const document = (paths: object) => ({ openapi: '3.1.0', info: { title: 'x', version: '1' }, paths });
      const [before, after] = [join(folder, 'before.json'), join(folder, 'after.json')];
      await writeFile(before, JSON.stringify(document({ '/it': path })));
      await writeFile(after, JSON.stringify(document({})));
      expect(await agent.ask('compare_documents', { before, after })).toMatchObject({
        counts: { breaking: 1, unknown: 0, harmless: 0 },
        changes: [{ kind: 'breaking', subject: 'getIt', change: expect.any(String) }],
      });
    });
  });

  it('says which requests a required field breaks, without a file', async () => {
    const required = ['islandora_object.field_description'];
    expect(await agent.ask('compare_documents', { required })).toMatchObject({
      changes: expect.arrayContaining([
        expect.objectContaining({
          ...{ kind: 'breaking', subject: 'NodeIslandoraObjectCreate', place: '.field_description' },
          change: 'is demanded now',
        }),
      ]),
    });
    const twice = await agent.ask('compare_documents', { required: ['islandora_object.field_model'] });
    expect(twice).toMatchObject({ counts: { breaking: 0, unknown: 0, harmless: 0 }, changes: [] });
  });

  it('refuses to require a field that the site does not have, and to compare one thing alone', async () => {
    const refused = (given: Answer): Promise<string> => agent.refused('compare_documents', given);
    expect(await refused({ required: ['islandora_object.nothing'] })).toMatch(/no field.*\nRemedy: .*field_model/s);
    expect(await refused({ required: ['nothing.field_model'] })).toMatch(/no field.*\nRemedy: Write bundle\.field/s);
    expect(await refused({ before: 'default' })).toContain('Remedy: Send "before" and "after", or "required" alone.');
    expect(await refused({ before: 'default', after: 'default', required: ['x.y'] })).toContain('Remedy: Send');
    const starter = await startAtoll({ site: 'starter-site' });
    const other = await connectAgent(starter);
    expect(await other.refused('compare_documents', { required: ['islandora_object.field_model'] })).toContain(
      'Remedy: Start atoll mcp with --site',
    );
    await other.leave();
    await starter.close();
  });

  it('imports a site: the report alone, unless writes are allowed', async () => {
    await inFolder(async (folder) => {
      const [config, out] = [join(folder, 'config'), join(folder, 'site')];
      await writeObjects(config, ledgerField('field_odd', 'glosses'));
      const report = {
        taken: expect.objectContaining({ vocabularies: 1 }),
        data: expect.arrayContaining([expect.objectContaining({ what: 'not judged' })]),
      };
      expect(await agent.ask('import_site', { folder: config })).toMatchObject(report);
      expect(await agent.refused('import_site', { folder: config, out })).toMatch(/Remedy: .*--allow-writes/);
      expect(existsSync(out)).toBe(false);
      const writer = await connectAgent(atoll, { allowWrites: true });
      expect(await writer.ask('import_site', { folder: config, out })).toMatchObject({ ...report, written: out });
      expect(existsSync(join(out, 'site.yml'))).toBe(true);
      await writer.leave();
    });
  });
});

describe('Resources and prompts', () => {
  it('are the document, the rules by section, the guides, and the model', async () => {
    const { resources } = await agent.client.listResources();
    const uris = resources.map(({ uri }) => uri);
    expect(uris).toEqual(
      expect.arrayContaining(['atoll://document', 'atoll://model', 'atoll://rules', 'atoll://guides/uploading']),
    );
    const read = async (uri: string): Promise<string> => {
      const [content] = (await agent.client.readResource({ uri })).contents;
      return content !== undefined && 'text' in content ? content.text : '';
    };
    expect(JSON.parse(await read('atoll://document'))).toMatchObject({ openapi: '3.1.0' });
    expect(JSON.parse(await read('atoll://document/getNode'))).toMatchObject({ operationId: 'getNode' });
    expect(await read('atoll://rules')).toContain('(atoll://rules/signposting)');
    expect(await read('atoll://rules/signposting')).toContain('`link.node.canonical`');
    expect(await read('atoll://guides/uploading')).toContain('# Uploading');
    expect(JSON.parse(await read('atoll://model/media/image'))).toMatchObject({ labelField: 'name' });
    await expect(read('atoll://rules/nothing')).rejects.toThrow(/There is no resource.*resources\/list/s);
  });

  it('name the tools of a task, and refuse to be without its words', async () => {
    const { prompts } = await agent.client.listPrompts();
    const { tools } = await agent.client.listTools();
    expect(prompts.map(({ name }) => name)).toEqual(['write_a_client', 'test_uploads_against_failures', 'why_refused']);
    for (const { name, arguments: wanted = [] } of prompts) {
      const given = Object.fromEntries(wanted.map((each) => [each.name, `the ${each.name}`]));
      const { messages } = await agent.client.getPrompt({ name, arguments: given });
      const text = JSON.stringify(messages);
      for (const value of Object.values(given)) expect(text).toContain(value);
      const named = [...text.matchAll(/\b[a-z]+_[a-z]+\b/g)]
        .map(([word]) => word)
        .filter((word) => word !== 'csrf_token');
      const known = [...tools.map((tool) => tool.name), '_format'];
      expect(
        named.filter((word) => !known.includes(word) && /^(find|explain|describe|try|last|missing)_/.test(word)),
      ).toEqual([]);
      await expect(agent.client.getPrompt({ name, arguments: {} })).rejects.toThrow(/The prompt needs/);
    }
  });
});

describeLimits(() => atoll);
describeNames(() => atoll);
