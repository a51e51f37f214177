/** What the program cannot have when it starts: a port, a data directory, a Node that is new enough. */
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { root } from '../support/atoll.ts';
import { runHere } from '../support/command.ts';
import { programFile, run, startProgram, withDirectory } from '../support/program.ts';
import { until } from '../support/until.ts';

jest.setTimeout(30_000);

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

describe('what cannot be had', () => {
  it('a port in use: exit 1, naming it, and nothing said to be ready', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => holder.once('listening', resolve));
    const { port } = holder.address() as AddressInfo; // it listens on a port
    const { code, out, error } = await run(['serve', '--memory', '--port', String(port)]);
    holder.close();
    expect([code, out, lines(error).length]).toEqual([1, '', 1]);
    expect(error).toContain(String(port));
  });

  it('a Node that is too old: exit 2 and the version that is wanted, before anything else is read', async () => {
    const asOld = `data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"18.19.1"}})`;
    const { stderr, status } = spawnSync(process.execPath, ['--import', asOld, programFile, '--version']);
    expect([status, stderr.toString()]).toEqual([
      2,
      'atoll: Node 18.19.1 is too old. Run Node 20.20 or a later one.\n',
    ]);
    const { engines } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { engines: { node: string } }; // our own file
    expect(engines.node).toBe('>=20.20');
    // What an old Node reads has no import of a file, and no syntax that it lacks.
    const text = await readFile(programFile, 'utf8');
    expect(text).not.toMatch(/(?:from|import) ?"\.\//);
    expect(text.length).toBeLessThan(3000);
  });

  it('an overlay that selects nothing, a handler that is no function: a warning, a refusal', () =>
    withDirectory(async (directory) => {
      const overlay = join(directory, 'overlay.yaml');
      const action = 'actions: [{ target: "$.paths[\'/nothing\']", update: { x: 1 } }]';
      await writeFile(overlay, `overlay: 1.0.0\ninfo: { title: x, version: '1' }\n${action}\n`);
      const server = await startProgram(['--memory', '--fixture', 'empty', '--overlay', overlay]);
      await until(() => /overlay\.yaml:3: .*selects nothing/.test(server.log()), 'the warning');
      await server.stop();
      await writeFile(join(directory, 'a.mjs'), 'export const getNode = 5;\n');
      const { code, error } = await runHere(['serve', '--memory', '--port', '0', '--handlers', directory]);
      expect([code, error]).toEqual([2, expect.stringContaining('exports "getNode", which is not a function.')]);
    }));

  it('a data directory in use: exit 3, naming who holds it; the first goes on', () =>
    withDirectory(async (directory) => {
      const first = await startProgram(['--data', directory, '--fixture', 'empty']);
      const { code, out, error } = await runHere(['serve', '--port', '0', '--data', directory]);
      expect([code, out, lines(error).length]).toEqual([3, '', 1]);
      expect(error).toContain(String(first.child.pid));
      expect((await fetch(`${first.url}/taxonomy/term/24?_format=json`)).status).toBe(200);
      expect(await first.stop()).toBe(0);
    }));
});
