/** Runs of `atoll verify` with checks of a test: verdicts, reports without secrets, and that nothing stays on the target. */
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anonymousAccount } from '../../src/exchange/exchange-target.ts';
import { TargetError } from '../../src/exchange/exchange.ts';
import { expectStatus, expectThat, CheckSkip } from '../../src/checks/verify/answer.ts';
import type { AskedRequest, Check, CheckContext } from '../../src/checks/verify/check.ts';
import { numberIn, recordOf } from '../../src/checks/verify/record-members.ts';
import { failuresAt } from '../../src/checks/verify/check-result.ts';
import { cleanTarget } from '../../src/checks/verify/workspace/clean-up.ts';
import { jsonReport } from '../../src/checks/verify/reports/json-report.ts';
import { writtenReport } from '../../src/checks/verify/reports/verify-report.ts';
import { removalLines, textReport } from '../../src/checks/verify/reports/text-report.ts';
import { runVerification, type VerificationOptions, type Verified } from '../../src/checks/verify/verify.ts';
import { openJournal } from '../../src/checks/verify/workspace/journal.ts';
import { startServer, send, type TestServer } from '../support/server.ts';
import { mutants } from './mutants/all-mutants.ts';
import { startMutant } from './mutants/mutant-server.ts';
import { checkOf, openTarget, type OpenedTarget } from './verified.ts';

const changedPassword = 'a planted p4ssword';
let server: TestServer;
let folder: string;
let opened: OpenedTarget;

beforeAll(async () => {
  server = await startServer({ checkReplies: 'off' });
  folder = await mkdtemp(join(tmpdir(), 'atoll-verify-'));
  opened = await openTarget(server.url, ['admin', 'editor']);
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

const writes = (name: string, run: Check['run']): Check => checkOf(name, run, { isWriting: true });

let journals = 0;
const runOf = (checks: readonly Check[], more: Partial<VerificationOptions> = {}): Promise<Verified> =>
  runVerification({ opened, checks, ...more });
const journalFile = (): string => join(folder, `journal-${(journals += 1)}.jsonl`);
const writing = () => ({ journal: journalFile() });

/** What the target holds, by type. */
const held = async (): Promise<number[]> => {
  const totals = ['node', 'media', 'file', 'taxonomy_term'].map(async (type) => {
    const answer = await send(server, 'GET', `/_atoll/entities?type=${type}`, { as: null });
    return (JSON.parse(answer.body.toString()) as { total: number }).total; // as the control document says
  });
  return Promise.all(totals);
};

const verdictsOf = ({ results }: Verified): Record<string, string> =>
  Object.fromEntries(results.map((result) => [result.check.name, result.verdict]));

describe('A run', () => {
  it('tells what became of each check, in their order', async () => {
    const verified = await runOf([
      checkOf('holds', async ({ ask }) => void expectStatus(await ask({ path: '/node/1?_format=json' }), 200)),
      checkOf('fails', async ({ ask }) => void expectStatus(await ask({ path: '/node/1?_format=json' }), 404), {
        severity: 'advice',
      }),
      checkOf('skips', () => Promise.reject(new CheckSkip('Not here.'))),
      writes('writes', () => Promise.resolve()),
      checkOf('unknown', () => Promise.resolve(), { operations: ['noSuchOperation'] }),
      checkOf('errs', () => Promise.reject(new TypeError('a bug'))),
      checkOf('cut', () => Promise.reject(new TargetError('cut', { isPassing: true }))),
    ]);
    expect(verdictsOf(verified)).toEqual({
      ...{ holds: 'passed', fails: 'failed', skips: 'skipped', writes: 'skipped', unknown: 'skipped' },
      ...{ errs: 'error', cut: 'failed' },
    });
    const names = (level: Parameters<typeof failuresAt>[1]): string[] =>
      failuresAt(verified.results, level).map((result) => result.check.name);
    expect([names('advice'), names('reference'), names('never')]).toEqual([
      ['fails', 'errs', 'cut'],
      ['errs', 'cut'],
      [],
    ]);
    const [, fails] = verified.results;
    expect(fails?.exchanges[0]).toMatchObject({ method: 'GET', status: 200 });
    expect(fails?.exchanges[0]?.curl).toMatch(/^curl -i .*\/node\/1\?_format=json/);
  });

  it('tries each password once: a wrong one is a failure, and the others go on', async () => {
    const accounts = opened.accounts.map((one) => (one.name === 'editor' ? { ...one, password: 'not hers' } : one));
    const acted: string[] = [];
    const look = checkOf('looks', async (context) => void acted.push(...context.accounts.map(({ name }) => name)));
    const verified = await runVerification({ opened: { ...opened, accounts }, checks: [look] });
    expect(verdictsOf(verified)).toEqual({ 'run.credentials.editor': 'failed', looks: 'passed' });
    expect(acted).toEqual(['anonymous', 'admin']);
  });

  it('tries passwords by a login where the site issues no tokens, and passes over demo accounts that are not there', async () => {
    const { document } = opened.contract;
    const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => path !== '/jwt/token'));
    const accounts = opened.accounts.map((one) => (one.name === 'editor' ? { ...one, password: 'not hers' } : one));
    const withoutTokens = { ...opened, accounts, contract: { ...opened.contract, document: { ...document, paths } } };
    const look = checkOf('looks', () => Promise.resolve());
    const asNamed = await runVerification({ opened: withoutTokens, checks: [look] });
    expect(verdictsOf(asNamed)).toEqual({ 'run.credentials.editor': 'failed', looks: 'passed' });
    const published = { ...withoutTokens, accounts: accounts.map((one) => ({ ...one, isPublished: true })) };
    const asGuessed = await runVerification({ opened: published, checks: [look] });
    expect(verdictsOf(asGuessed)).toEqual({ 'run.credentials.editor': 'skipped', looks: 'passed' });
  });

  it('finds a link that is missing in a run that only reads, which goes by such links', async () => {
    const mutant = mutants.find(({ name }) => name === 'describes-is-missing');
    const target = await startMutant(mutant);
    try {
      const of = await openTarget(target.url, ['admin']);
      const { results } = await runVerification({ opened: of, only: ['link.media-*.describes'] });
      expect(results.filter(({ verdict }) => verdict === 'failed').map((one) => one.message)).toContainEqual(
        expect.stringMatching(/^There is no .* rel="describes".*, nor another of this relation\.$/),
      );
    } finally {
      await target.stop();
    }
  });

  it('reports once what answers break of the document, beside the checks, unless they said otherwise', async () => {
    const judged = checkOf('judged', async ({ ask, judge }) => {
      judge.backend.operations.find(({ id }) => id === 'getNode');
      await ask({ path: '/node/1?_format=json' });
    });
    const broken = { ...opened, contract: { ...opened.contract, document: withoutOk(opened) } };
    const quiet = checkOf(
      'quiet',
      async ({ ask }) => void expectStatus(await ask({ path: '/node/1?_format=json', isJudged: false }), 200),
    );
    const verified = await runOf([judged, quiet], { opened: broken });
    expect(verdictsOf(verified)).toEqual({
      judged: 'passed',
      quiet: 'passed',
      'document.getNode.200.responses.1': 'failed',
    });
    expect(verified.results[0]?.broken[0]).toMatchObject({ operation: 'getNode', status: 200 });
    expect(textReport(verified).join('\n')).toMatch(/Answers that break the document\n {2}getNode 200/);
  });

  it('gives up a check that takes too long, and one that asks for ever', async () => {
    const verified = await runOf([checkOf('hangs', () => new Promise(() => undefined))], { checkMs: 50 });
    expect(verified.results[0]).toMatchObject({ verdict: 'failed', message: 'It took more than 0.05 seconds.' });
  });

  it('sends a read once for all checks that ask for it, until something may have changed', async () => {
    const asks = async (ask: CheckContext['ask'], ...requests: readonly AskedRequest[]): Promise<void> => {
      for (const request of requests) await ask(request);
    };
    const node = { path: '/node/1?_format=json' };
    const reads = (name: string) => checkOf(name, ({ ask }) => asks(ask, node));
    const readsTwice = checkOf('reads-twice', ({ ask }) => asks(ask, node, node));
    const writesOnce = checkOf('writes', ({ ask }) => asks(ask, { ...node, method: 'PATCH', json: {} }));
    const alone = checkOf('alone', ({ ask }) => asks(ask, node), { isExclusive: true });
    const requestsOf = async (...checks: readonly Check[]) => (await runOf(checks, { parallel: 1 })).requests;
    const one = await requestsOf(reads('one'));
    expect(await requestsOf(reads('one'), reads('two'))).toBe(one);
    expect(await requestsOf(reads('one'), readsTwice, reads('two'))).toBe(one + 1);
    expect(await requestsOf(reads('one'), writesOnce, reads('two'))).toBe(one + 2);
    expect(await requestsOf(reads('one'), alone)).toBe(one + 1);
  });

  it('does steps once for all checks that share them, shows them in each report, and again when they are used up', async () => {
    let made = 0;
    const shares = (name: string, more: (context: CheckContext) => void = () => undefined) =>
      checkOf(name, async (context) => {
        const number = await context.once('steps', async ({ ask }) => {
          await ask({ path: '/node/1?_format=json' });
          return (made += 1);
        });
        more(context);
        expectThat(false, `It was made as number ${number}.`);
      });
    const uses = shares('uses', ({ again }) => again('steps'));
    const { results } = await runOf([shares('one'), uses, shares('two')], { parallel: 1 });
    expect(results.map(({ message }) => message)).toEqual(
      [1, 1, 2].map((number) => `It was made as number ${number}.`),
    );
    expect(results.map(({ exchanges }) => exchanges.length)).toEqual([1, 1, 1]);
  });

  it('authenticates by each provider, and shows no secret in any report', async () => {
    const secrets: string[] = [];
    const by = (provider: 'basic' | 'bearer' | 'session') =>
      checkOf(`by-${provider}`, async ({ ask, maker, contract }) => {
        const title = [{ value: 'x' }];
        const json = { type: [{ target_id: 'islandora_object' }], title, [`pass_${contract.site.name.length}`]: 'x' };
        const answer = await ask({ method: 'POST', path: '/node?_format=json', as: maker(), by: provider, json });
        for (const [name, value] of answer.exchange.request.headers)
          if (/^(authorization|cookie|x-csrf-token)$/i.test(name)) secrets.push(value.replace(/^\w+ |^\w+=/, ''));
        expectThat(answer.status !== 422 && answer.status !== 403, `It answered ${answer.status}: ${secrets.join()}`);
      });
    const login = checkOf('login', async ({ ask }) => {
      const json = { name: 'admin', pass: changedPassword };
      const answer = await ask({ method: 'POST', path: '/user/login?_format=json', json });
      expectStatus(answer, 200);
    });
    const verified = await runOf([by('basic'), by('bearer'), by('session'), login], { writing: writing() });
    expect(verified.counts).toMatchObject({ failed: 4, passed: 1 });
    expect(secrets).toHaveLength(4);
    secrets.push(changedPassword);
    const clean = (text: string): string => opened.redaction.text(text);
    const reports = [
      textReport(verified).join('\n'),
      jsonReport(verified),
      writtenReport(verified, 'junit'),
      writtenReport(verified, 'html'),
    ];
    for (const report of reports.map(clean)) {
      for (const secret of secrets) expect(report).not.toContain(secret);
    }
    expect(reports[1]).toContain('$ATOLL_PASSWORD');
    expect(reports[1]).toContain('$ATOLL_TOKEN');
    expect(reports[1]).toContain('$ATOLL_CSRF_TOKEN');
  });

  it('writes JUnit and HTML that say what is what', async () => {
    const verified = await runOf([
      checkOf('skips', () => Promise.reject(new CheckSkip('Not <here>.'))),
      checkOf('fails', () => Promise.resolve().then(() => expectThat(false, 'a < b'))),
      checkOf('errs', () => Promise.reject(new TypeError('a bug'))),
    ]);
    const junit = writtenReport(verified, 'junit');
    expect(junit).toContain('<testsuite name="getNode" tests="3" failures="1" errors="1" skipped="1">');
    expect(junit).toMatch(/name="skips"[^>]*><skipped message="Not &lt;here&gt;."\/>/);
    expect(junit).toMatch(/<failure type="contract" message="[^"]*a &lt; b"\/>/);
    expect(junit).toMatch(/name="errs"[^>]*><error type="internal"/);
    const html = writtenReport(verified, 'html');
    expect(html).not.toMatch(/<script|src=|href=/);
    expect(html).toContain('a &lt; b');
  });
});

/** The document says of a node that it can only be answered with 404. */
const withoutOk = ({ contract: { document } }: OpenedTarget): OpenedTarget['contract']['document'] => {
  const copy = structuredClone(document);
  const path = copy.paths['/node/{node_id}'] as unknown as { get: { responses: Record<string, unknown> } }; // it has GET
  delete path.get.responses['200'];
  return copy;
};

const makesThings = writes('makes', async ({ ask, maker, subjects, workspace }) => {
  const node = await workspace.node();
  await workspace.media(node, 'file');
  // Without a word to the workspace.
  const json = workspace.nodeBody();
  expectStatus(await ask({ method: 'POST', path: '/node?_format=json', as: maker(), json }), 201);
  expectThat(subjects.media.size === 4 && subjects.files.size === 4, 'Media are missing.');
  expectThat(subjects.unpublished !== undefined && subjects.container !== undefined, 'A node is missing.');
});

describe('What a run has made', () => {
  it('is removed at its end, also after an error', async () => {
    const before = await held();
    const fails = writes('errs', () => Promise.reject(new Error('a bug')));
    const verified = await runOf([makesThings, fails], { writing: writing() });
    expect(verdictsOf(verified)).toEqual({ 'run.preparation': 'passed', makes: 'passed', errs: 'error' });
    expect(verified.removal).toMatchObject({ left: [] });
    expect(await held()).toEqual(before);
    expect((await readdir(folder)).filter((name) => name.endsWith('.jsonl'))).toEqual([]);
  });

  it('is removed with its files and no foreign one, whatever the checks led its media to', async () => {
    const before = await held();
    const foreign = await send(server, 'GET', '/entity/file/1?_format=json', { as: 'admin' });
    expect(foreign.status).toBe(200);
    const only = ['odd-values.media.field_media_*', 'delete.media.*'];
    const verified = await runVerification({ opened, writing: writing(), only });
    expect(verified.counts.passed).toBeGreaterThan(3);
    expect(await held()).toEqual(before);
    expect((await send(server, 'GET', '/entity/file/1?_format=json', { as: 'admin' })).status).toBe(200);
  });

  it('has the UUID of each upload in its journal, by which a media is known that was renamed and taken from its node', async () => {
    const written = writing();
    const noted: unknown[] = [];
    const uploads = checkOf(
      'uploads',
      async ({ workspace }) => {
        const { id, record } = await workspace.media(await workspace.node(), 'file');
        const { left } = await openJournal(written.journal);
        const uuid = left().find((entity) => entity.type === 'media' && entity.id === id)?.uuid;
        noted.push(uuid, record['uuid']);
      },
      { isWriting: true },
    );
    await runOf([uploads], { writing: written });
    const [uuid, shown] = noted;
    expect(uuid).toEqual(expect.any(String));
    expect(shown).toEqual([{ value: uuid }]);
  });

  it('is removed when the run is ended in the middle', async () => {
    const before = await held();
    const stop = new AbortController();
    const ends = writes('ends', async ({ workspace }) => {
      const made = workspace.node();
      stop.abort();
      await made;
    });
    const verified = await runOf([ends, makesThings], { writing: writing(), signal: stop.signal });
    expect(verified).toMatchObject({ isInterrupted: true, removal: { left: [] } });
    expect(await held()).toEqual(before);
  });

  it('is below a given container, which stays', async () => {
    const before = await held();
    const seen: unknown[] = [];
    const looks = checkOf('looks', ({ subjects }) => Promise.resolve(seen.push(subjects)).then(() => undefined), {
      isWriting: true,
    });
    await runOf([looks], { writing: { ...writing(), container: 1, label: 'our own tests' } });
    expect(seen[0]).toMatchObject({ container: { id: 1 } });
    expect(seen[0]).toMatchObject({
      node: { record: { field_member_of: [{ target_id: 1 }], title: [{ value: 'our own tests node 1' }] } },
    });
    expect(await held()).toEqual(before);
  });

  it('is removed by its journal after a kill, and nothing else', async () => {
    const before = await held();
    const file = journalFile();
    const kept: string[] = [];
    // The journal as it stands in the middle of a run, with the things that the run would have removed.
    const copies = writes('copies', async ({ workspace, ask, maker }) => {
      kept.push(await readFile(file, 'utf8'));
      const json = { ...workspace.nodeBody() };
      const answer = await ask({ method: 'POST', path: '/node?_format=json', as: maker(), json });
      kept.push(String(answer.header('location')));
    });
    await runOf([copies], { writing: { journal: file } });
    const [text = ''] = kept;
    const [head = ''] = text.split('\n');
    const { label } = JSON.parse(head) as { label: string };
    const json = (title: string) => ({
      ...{ type: [{ target_id: 'islandora_object' }], title: [{ value: title }] },
      field_model: [{ target_id: 24 }],
    });
    const foreign = await send(server, 'POST', '/node?_format=json', { json: json('of somebody else') });
    const lost = await send(server, 'POST', '/node?_format=json', { json: json(`${label} node 99`) });
    expect([foreign.status, lost.status]).toEqual([201, 201]);
    const foreignId = Number(foreign.json()['nid']?.[0]?.value);
    const lines = [
      head,
      JSON.stringify({ event: 'made', type: 'node', id: foreignId }),
      JSON.stringify({ event: 'intent', attempt: 1, type: 'node' }),
      '{"event":"ma',
    ];
    await writeFile(file, lines.join('\n'));
    const cleaned = await cleanTarget(opened, file);
    expect(cleaned.left).toMatchObject([{ path: `/node/${foreignId}`, isForeign: true }]);
    expect(removalLines(cleaned, server.url).at(-1)).toBe('Everything else that was made is removed (2 entities).');
    const [nodes = 0, ...others] = before;
    expect(await held()).toEqual([nodes + 1, ...others]);
    await expect(openJournal(file)).rejects.toThrow('cannot be read');
    await send(server, 'DELETE', `/node/${foreignId}?_format=json`);
  });

  it('is told where it cannot be removed, and the journal stays', async () => {
    // This account may remove its own nodes and media alone.
    const account = { name: 'owner', password: 'owner', roles: ['owner'] };
    let id = 0;
    const foreign = writes('foreign', async ({ workspace, ask }) => {
      const as = opened.accounts.find(({ name }) => name === 'admin') ?? anonymousAccount;
      const answer = await ask({ method: 'POST', path: '/node?_format=json', as, json: workspace.nodeBody() });
      id = numberIn(recordOf(expectStatus(answer, 201)), 'nid');
    });
    const journal = journalFile();
    const verified = await runOf([foreign], {
      opened: { ...opened, accounts: [anonymousAccount, account] },
      writing: { journal },
    });
    expect(verified.removal?.left.map(({ path }) => path)).toContain(`/node/${id}`);
    expect(textReport(verified).join('\n')).toMatch(
      new RegExp(`Left on the target: .*/node/${id}: DELETE .* answered 403`, 's'),
    );
    const left = (await openJournal(journal)).left();
    expect(left.map(({ type, id }) => `${type} ${id}`)).toContain(`node ${id}`);
    expect(left).toHaveLength(verified.removal?.left.length ?? 0);
  });

  it('stays in the journal where it cannot be read', async () => {
    const journal = journalFile();
    const made = await send(server, 'POST', '/node?_format=json', {
      json: {
        type: [{ target_id: 'islandora_object' }],
        title: [{ value: 'hidden node 1' }],
        status: [{ value: false }],
        field_model: [{ target_id: 24 }],
      },
    });
    const id = Number(made.json()['nid']?.[0]?.value);
    const lines = [
      { event: 'begun', target: server.url, account: 'plain', label: 'hidden' },
      { event: 'made', type: 'node', id },
    ];
    await writeFile(journal, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const cleaned = await cleanTarget(await openTarget(server.url, ['plain']), journal);
    expect(cleaned.left).toMatchObject([{ path: `/node/${id}`, reason: expect.stringContaining('(403)') }]);
    expect(removalLines(cleaned, server.url).at(-1)).toMatch(/^Try again with: /);
    expect((await openJournal(journal)).left()).toMatchObject([{ type: 'node', id }]);
    await send(server, 'DELETE', `/node/${id}?_format=json`);
  });
});
