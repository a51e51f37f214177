/** What commands and the library say when a server redirects, or when the answer is not one of the control interface. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connectAtoll } from '../../src/cli/entries/atoll.ts';
import { runHere } from '../support/command.ts';

const token = 'a-token-that-must-stay-here';
const target = join(tmpdir(), `atoll-foreign-${process.pid}.tar`);

const commands = [
  ['health'],
  ['ready'],
  ['ls'],
  ['reload'],
  ['reset'],
  ['reset', '--yes'],
  ['snapshot', 'save', 'a'],
  ['snapshot', 'ls'],
  ['world', 'fork'],
  ['world', 'ls'],
  ['world', 'diff'],
  ['world', 'drop', 'w1'],
  ['clock', 'get'],
  ['clock', 'advance', '1'],
  ['control-tokens', 'list'],
  ['control-tokens', 'create', 'ci', '--right', 'read'],
  ['control-tokens', 'revoke', 'ci'],
  ['faults', 'add', 'status'],
  ['faults', 'clear'],
  ['traffic'],
  ['traffic', '--follow'],
  ['traffic', '--har', target],
  ['traffic', 'assert'],
  ['traffic', 'show', '1'],
  ['traffic', 'clear'],
  ['coverage', 'report'],
  ['coverage', 'requests'],
  ['coverage', 'clear'],
  ['export', target],
] as const;

const servers: Server[] = [];
const listen = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, 'localhost');
  servers.push(server);
  await once(server, 'listening');
  return `http://localhost:${(server.address() as AddressInfo).port}`; // it listens on a port
};
afterAll(() => {
  for (const server of servers) server.close();
});

/** Runs a command with the token. It says nothing but one line of what is wrong. */
const failed = async (url: string, command: readonly string[]): Promise<{ code: number | null; error: string }> => {
  const { code, out, error } = await runHere([...command, '--url', url, '--control-token', token]);
  expect([command, out, error.trimEnd().split('\n').length, existsSync(target)]).toEqual([command, '', 1, false]);
  return { code, error };
};

describe('A server that redirects to another one', () => {
  const met: unknown[] = [];
  let other: string;
  let redirecting: string;
  let status = 302;
  beforeAll(async () => {
    other = await listen((request, response) => {
      met.push(request.headers);
      response.end('{}');
    });
    redirecting = await listen((request, response) => {
      response.writeHead(status, { Location: `${other}${request.url ?? ''}` }).end();
    });
  });
  beforeEach(() => {
    met.length = 0;
  });

  it.each(commands)('gets no further: %s %s %s', async (...command) => {
    for (status of [302, 307]) {
      const { code, error } = await failed(redirecting, command);
      expect([code, error]).toEqual([2, expect.stringContaining(`redirects to ${other}/_atoll/`)]);
    }
    expect(met).toEqual([]);
  });

  it('is not followed by the library either', async () => {
    const atoll = connectAtoll(redirecting, { controlToken: token });
    const redirected = { name: 'CommandRefusal', status, message: expect.stringContaining(`redirects to ${other}`) };
    await expect(atoll.reset()).rejects.toMatchObject(redirected);
    await expect(atoll.controlTokens.list()).rejects.toMatchObject(redirected);
    await expect(atoll.exportRepository()).rejects.toMatchObject(redirected);
    await expect(atoll.importRepository(new Blob(['x']))).rejects.toMatchObject(redirected);
    expect(met).toEqual([]);
  });
});

describe('An answer that is not one of the control interface', () => {
  let empty: string;
  let page: string;
  beforeAll(async () => {
    empty = await listen((_request, response) => response.setHeader('Content-Type', 'application/json').end('{}'));
    page = await listen((_request, response) => response.setHeader('Content-Type', 'text/html').end('<!doctype html>'));
  });

  it.each(commands)('is an error: %s %s %s', async (...command) => {
    expect((await failed(empty, command)).code).toBeGreaterThan(0);
    expect((await failed(page, command)).code).toBeGreaterThan(0);
  });

  it('ends with 1 and says what is missing, or with 2 when it is no JSON at all', async () => {
    const { code, error } = await failed(empty, ['world', 'ls']);
    expect([code, error]).toEqual([1, expect.stringContaining('JSON without "worlds"')]);
    expect((await failed(empty, ['reset', '--yes'])).code).toBe(1);
    expect(await failed(page, ['world', 'ls'])).toEqual({ code: 2, error: 'atoll: This is no Atoll.\n' });
  });

  it('rejects in the library', async () => {
    const atoll = connectAtoll(empty);
    await expect(atoll.reset()).rejects.toMatchObject({ status: 200, isUnexpected: true });
    await expect(atoll.controlTokens.list()).rejects.toThrow('without "tokens"');
    await expect(atoll.world()).rejects.toThrow('This is another server');
    await expect(connectAtoll(page).exportRepository()).rejects.toThrow('This is no Atoll.');
  });
});
