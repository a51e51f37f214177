/** Named control tokens against a running program: its commands, its log, its library, and a restart. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, jest } from '@jest/globals';
import { connectAtoll } from '../../src/cli/entries/atoll.ts';
import { runHere } from '../support/command.ts';
import { startProgram, withDirectory } from '../support/program.ts';

jest.setTimeout(120_000);

const own = 'the-token-of-the-file';

it('are made, listed, used, logged and revoked, and are there after a restart', () =>
  withDirectory(async (directory) => {
    const file = join(directory, 'token');
    await writeFile(file, `${own}\n`);
    const serve = ['--data', join(directory, 'data'), '--fixture', 'empty', '--control-token-file', file];
    const program = await startProgram([...serve, '--control-rate', '1000']);
    const tokens = (...args: string[]) =>
      runHere(['control-tokens', ...args, '--url', program.url, '--control-token', own]);

    const made = await tokens('create', 'ci', '--right', 'worlds', '--prefix', 'ci-', '--ttl', '3600');
    expect([made.code, made.error]).toEqual([0, '']);
    const secret = made.out.trim();
    expect(secret).toMatch(/^atoll_[\w-]{43}$/);
    const reading = JSON.parse((await tokens('create', 'dashboard', '--right', 'read', '--json')).out) as {
      secret: string;
    };
    expect((await tokens('create', 'ci', '--right', 'read')).error).toBe(
      'atoll: There is a control token "ci" already. Revoke it first.\n',
    );
    expect((await tokens('list')).out).toMatch(
      /^ci +worlds ci-\* +never used {2}until 2\S+Z\ndashboard +read +never used\n$/,
    );

    const atoll = connectAtoll(program.url, { controlToken: secret });
    const world = await atoll.world();
    expect(world.name).toMatch(/^ci-/);
    await expect(atoll.reset()).rejects.toMatchObject({ status: 403 });
    await expect(atoll.controlTokens.list()).rejects.toMatchObject({ status: 403 });
    const lead = connectAtoll(program.url, { controlToken: own });
    expect((await lead.controlTokens.list()).map(({ name }) => name)).toEqual(['ci', 'dashboard']);
    const third = await lead.controlTokens.create({ name: 'third', right: 'everything' });
    await connectAtoll(program.url, { controlToken: third.secret }).controlTokens.revoke('third');
    await expect(connectAtoll(program.url, { controlToken: third.secret }).worlds()).rejects.toMatchObject({
      status: 403,
    });
    expect(await program.stop()).toBe(0);

    const lines = program
      .log()
      .split('\n')
      .filter((line) => line.includes('"a control command"'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ who, operation, world: on, status }) => [who, operation, on, status])).toEqual([
      ['--control-token', 'createToken', 'main', 201],
      ['--control-token', 'createToken', 'main', 201],
      ['--control-token', 'createToken', 'main', 409],
      ['ci', 'forkWorld', world.name, 201],
      ['ci', 'resetWorld', 'main', 403],
      ['--control-token', 'createToken', 'main', 201],
      ['third', 'revokeToken', 'main', 204],
    ]);
    for (const text of [program.log(), await readFile(join(directory, 'data/control-tokens.json'), 'utf8')]) {
      for (const hidden of [own, secret, reading.secret, third.secret]) expect(text).not.toContain(hidden);
    }

    const later = await startProgram(serve);
    const status = async (token: string): Promise<number> =>
      (await fetch(`${later.url}/_atoll/worlds`, { headers: { 'Atoll-Control': token } })).status;
    expect([await status(secret), await status(reading.secret), await status(third.secret)]).toEqual([200, 200, 403]);
    const revoke = ['control-tokens', 'revoke', 'ci', 'dashboard', '--url', later.url, '--control-token', own];
    expect((await runHere(revoke)).code).toBe(0);
    expect([await status(secret), await status(reading.secret), await status(own)]).toEqual([403, 403, 200]);
    expect(await later.stop()).toBe(0);
  }));
