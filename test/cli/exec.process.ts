/** `atoll exec`: a command beside a server, its signals, its code, and the reports. */
import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runHere } from '../support/command.ts';
import { programFile, run, signingKeyFile, withDirectory, type RunOptions } from '../support/program.ts';

/** A client for `node -e`. */
const client = (body: string): string[] => [
  process.execPath,
  '-e',
  `const url = process.env.ATOLL_URL; (async () => { ${body} })().catch((error) => { console.error(error); process.exit(99); })`,
];

/** A new key for each start would cost more than most commands. */
const keptKey = ['--jwt-key', signingKeyFile];
const exec = (args: readonly string[], options?: RunOptions) => run(['exec', ...keptKey, ...args], options);

describe('atoll exec', () => {
  it('gives the command an address that answers 200, and tokens and passwords that are accepted', async () => {
    const script = client(`
      const ask = async (authorization) => (await fetch(url + '/user/1?_format=json', { headers: { authorization } })).status;
      const { ATOLL_TOKEN_ADMIN, ATOLL_PASSWORD_ADMIN, ATOLL_TOKEN_BLOCKED } = process.env;
      const basic = 'Basic ' + Buffer.from('admin:' + ATOLL_PASSWORD_ADMIN).toString('base64');
      console.log(JSON.stringify([await ask('Bearer ' + ATOLL_TOKEN_ADMIN), await ask(basic), ATOLL_TOKEN_BLOCKED ?? 'none']));`);
    const { code, out } = await exec(['--', ...script]);
    expect([code, JSON.parse(out)]).toEqual([0, [200, 200, 'none']]);
  });

  it.each([
    ['the code of the command', 7, client('process.exit(7)')],
    ['127 when there is no such command', 127, ['no-such-command-anywhere']],
  ])('ends with %s', async (_what, code, command) => {
    expect((await exec(['--', ...command])).code).toBe(code);
  });

  it('passes a signal on to the command, and ends by it', async () => {
    const waiting = client(
      "process.on('SIGTERM', () => { console.log('heard'); process.exit(5); }); console.log('waiting'); setInterval(() => {}, 1000);",
    );
    expect(await exec(['--', ...waiting], { until: 'waiting' })).toMatchObject({
      code: 5,
      out: 'waiting\nheard\n',
    });
    const killed = spawn(process.execPath, [
      programFile,
      'exec',
      ...keptKey,
      '--',
      ...client("process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000);"),
    ]);
    const signal = await new Promise((resolve) => killed.on('exit', (_code, by) => resolve(by)));
    expect(signal).toBe('SIGTERM');
  });

  it('reports what the command has met, and counts nothing of its own', () =>
    withDirectory(async (folder) => {
      const args = ['--cover', '--report', 'table,html,junit,json', '--report-dir', join(folder, 'deep', 'report')];
      const { code, error } = await exec([...args, '--', ...client("await fetch(url + '/node/1?_format=json')")]);
      expect([code, error]).toEqual([0, expect.stringMatching(/^operations +1 of \d+/m)]);
      const report = (name: string): Promise<string> => readFile(join(folder, 'deep/report', name), 'utf8');
      const { answers } = JSON.parse(await report('coverage.json')) as {
        answers: { operation: string; status: number }[];
      }; // the report's own form
      expect(answers.map(({ operation, status }) => [operation, status])).toEqual([['getNode', 200]]);
      expect((await report('coverage.txt')).endsWith(error)).toBe(true);
      expect(error.trimEnd().split('\n').length).toBeLessThanOrEqual(10);
      expect(await report('coverage.html')).toContain('getNode');
      expect(await report('coverage.junit.xml')).toContain('<testsuites name="contract coverage">');
    }));

  it('ends with 6 when a goal is missed, naming what is not met, but with the code of a command that failed', async () => {
    const reading = client("await fetch(url + '/node/1?_format=json')");
    const [met, missed, failed] = await Promise.all([
      exec(['--min', 'operations=1', '--', ...reading]),
      exec(['--min', 'operations=100', '--', ...reading]),
      exec(['--min', 'operations=100', '--', ...client('process.exit(9)')]),
    ]);
    expect(met.code).toBe(0);
    expect([missed.code, missed.error]).toEqual([6, expect.stringContaining('createNode')]);
    expect(missed.error).toContain('100 % are wanted');
    expect(missed.error.trimEnd().split('\n').length).toBeLessThanOrEqual(10);
    expect(failed.code).toBe(9);
  });
});

describe('atoll exec around commands of atoll and reports', () => {
  it('lets every command inside find its server, and writes JUnit, HAR, Markdown and HTML', () =>
    withDirectory(async (folder) => {
      const inside = client(`
        const { execFileSync } = require('node:child_process');
        const atoll = (...args) => execFileSync(process.execPath, [${JSON.stringify(programFile)}, ...args], { encoding: 'utf8' });
        const world = atoll('world', 'fork', 'inside').trim();
        await fetch(world + '/node/1?_format=json');
        await fetch(world + '/node?_format=json', {
          method: 'POST', body: '{"title":1}', headers: { authorization: 'Bearer ' + atoll('token', 'editor', '--url', world).trim(), 'content-type': 'application/json' },
        });
        console.log(world === url + '/~inside', atoll('health').slice(0, 2));`);
      const args = ['--report', 'junit,har,markdown,html', '--report-dir', folder, '--min', 'operations=0,statuses=90'];
      const { code, out, error } = await exec([...args, '--ignore', 'head,5xx', '--', ...inside]);
      expect([code, out]).toEqual([6, 'true ok\n']);
      expect(error).not.toMatch(/HEAD|503|sent nothing/);
      const junit = await readFile(join(folder, 'coverage.junit.xml'), 'utf8');
      expect(junit.match(/<failure type="goal"/g)).toHaveLength(1);
      expect(junit).toMatch(/classname="violations.createNode" name="POST \/node\?_format=json 4\d\d"/);
      const failures = junit.match(/<failure/g)?.length ?? 0;
      expect(failures).toBeLessThan(10);
      const { log } = JSON.parse(await readFile(join(folder, 'traffic.har'), 'utf8')) as {
        log: { entries: unknown[] };
      }; // HAR
      expect(log.entries.length).toBeGreaterThanOrEqual(2);
      expect(await readFile(join(folder, 'coverage.md'), 'utf8')).toContain('90 %, missed');
      expect(await readFile(join(folder, 'coverage.html'), 'utf8')).toContain('getNode');
    }));

  it('says loudly that nothing was sent to its server when a goal is missed for that', async () => {
    const { code, error } = await exec(['--min', 'operations=1', '--', ...client('')]);
    expect([code, error]).toEqual([6, expect.stringContaining('has sent nothing to http://localhost:')]);
  });
});

describe('What a test has broken in a world that it has dropped', () => {
  /** Sends what the contract does not allow in a world with the name of the test, and drops it, as the fixture of the guide does. */
  const inOwnWorld = client(`
    const json = { 'content-type': 'application/json' };
    const made = await fetch(url + '/_atoll/worlds', { method: 'POST', headers: json, body: '{"name":"adds-an-object"}' });
    const { url: world } = await made.json();
    const authorization = 'Basic ' + btoa('editor:' + process.env.ATOLL_PASSWORD_EDITOR);
    await fetch(world + '/node?_format=json', { method: 'POST', headers: { ...json, authorization }, body: '{"title":5}' });
    await fetch(url + '/_atoll/worlds/adds-an-object', { method: 'DELETE' });`);

  it('is in the report with the name of the world, and --fail-on violations ends with 8', () =>
    withDirectory(async (folder) => {
      const args = ['exec', ...keptKey, '--report', 'junit', '--report-dir', folder, '--fail-on', 'violations'];
      const { code, error } = await runHere([...args, '--', ...inOwnWorld]);
      expect([code, error]).toEqual([
        8,
        expect.stringMatching(/^atoll: the contract was broken:\n {2}adds-an-object: /m),
      ]);
      expect(error.trim().split('\n').length).toBeLessThanOrEqual(10);
      const junit = await readFile(join(folder, 'coverage.junit.xml'), 'utf8');
      expect(junit).toContain('classname="violations.createNode" name="POST /node');
      expect(junit).toContain('(world adds-an-object)');
    }));

  it('is nothing that an ordered fault has answered to a valid request, in no report: 0', () =>
    withDirectory(async (folder) => {
      const ordered = client(`
        const headers = { 'content-type': 'application/json', authorization: 'Basic ' + btoa('editor:' + process.env.ATOLL_PASSWORD_EDITOR) };
        const body = JSON.stringify({ type: [{ target_id: 'islandora_object' }], title: [{ value: 'Another' }] });
        const change = (more = {}) => fetch(url + '/node/1?_format=json', { method: 'PATCH', headers: { ...headers, ...more }, body });
        const made = [];
        for (const status of [400, 413, 415, 422]) made.push((await change({ 'atoll-fault': 'status;status=' + status })).status);
        for (const status of [400, 413, 415, 422]) made.push((await change({ prefer: 'code=' + status })).status);
        await fetch(url + '/_atoll/faults', { method: 'POST', headers, body: JSON.stringify({ fault: 'status', parameters: { status: 422 } }) });
        made.push((await change()).status);
        if (made.join() !== '400,413,415,422,400,413,415,422,422') throw new Error(made.join());`);
      const args = ['exec', ...keptKey, '--report', 'junit,json', '--report-dir', folder, '--fail-on', 'violations'];
      expect(await runHere([...args, '--', ...ordered])).toMatchObject({ code: 0, error: '' });
      expect(await readFile(join(folder, 'coverage.junit.xml'), 'utf8')).not.toContain('violations.');
    }));

  it('can be left out by its status: --ignore 422 ends with 0', async () => {
    const args = ['exec', ...keptKey, '--fail-on', 'violations', '--ignore', '422'];
    expect((await runHere([...args, '--', ...inOwnWorld])).code).toBe(0);
  });

  it('takes ten lines with all that there is to say, and names each of it', () =>
    withDirectory(async (folder) => {
      const goals = 'operations=100,statuses=100,errors=100,media-types=100';
      const args = ['exec', ...keptKey, '--cover', '--min', goals, '--fail-on', 'violations'];
      const { code, error } = await runHere([
        ...args,
        '--report',
        'junit',
        '--report-dir',
        folder,
        '--',
        ...inOwnWorld,
      ]);
      const lines = error.trimEnd().split('\n');
      expect([code, lines.length]).toEqual([8, 10]);
      for (const start of [
        'atoll: the contract was broken:',
        ...goals.split('=100').map((goal) => goal.replace(',', '')),
      ])
        expect(error).toContain(start);
      expect(lines.at(-1)).toMatch(/and \d+ more lines; see --report/);
      const junit = await readFile(join(folder, 'coverage.junit.xml'), 'utf8');
      const cases = junit.match(/<testcase classname="operations\.\w+" name="([^"]+)"/g) ?? [];
      expect([cases.length > 20, cases.length < 100, cases.filter((each) => /HEAD /.test(each))]).toEqual([
        true,
        true,
        [],
      ]);
    }));

  it('leaves the code of the command as it is, and says nothing after it', async () => {
    const failing = client("await fetch(url + '/node/1?_format=json'); process.exit(3)");
    const args = ['exec', ...keptKey, '--cover', '--fail-on', 'violations', '--min', 'operations=100'];
    expect(await runHere([...args, '--', ...failing])).toMatchObject({ code: 3, error: '' });
    const kept = client("await fetch(url + '/node/1?_format=json')");
    expect((await runHere(['exec', ...keptKey, '--fail-on', 'violations', '--', ...kept])).code).toBe(0);
  });
});
