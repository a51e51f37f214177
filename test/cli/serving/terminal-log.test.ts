/** Log lines on a terminal, and the words of errors. */
import { describe, expect, it } from '@jest/globals';
import { ConfigurationError } from '../../../src/basics/configuration-error.ts';
import { errorLine } from '../../../src/cli/error-line.ts';
import { printRequests } from '../../../src/cli/serving/request-lines.ts';
import { readableLine } from '../../../src/cli/serving/server-log.ts';
import { send, startServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { counted } from '../../../src/basics/counted.ts';

describe('A log line on a terminal', () => {
  it('has the time, the level, the message and the values', () => {
    const line = JSON.stringify({
      level: 40,
      time: 0,
      msg: 'a write was refused',
      status: 507,
      operation: 'createNode',
    });
    expect(readableLine(line)).toMatch(
      /^\d\d:\d\d:\d\d WARN {2}a write was refused {2}status=507 {2}operation=createNode\n$/,
    );
  });

  it('has the stack of an error below it, and no control character of a request', () => {
    const line = JSON.stringify({ level: 50, time: 0, msg: 'x\u001b[2J', err: { stack: 'Error: y\n    at z' } });
    expect(readableLine(line)).toMatch(/ERROR x\ufffd\[2J\n {4}Error: y\n {8}at z\n$/);
  });
});

describe('A server on a terminal', () => {
  const lines: string[] = [];
  const said = async (environment: NodeJS.ProcessEnv): Promise<string> => {
    lines.length = 0;
    const server = await startServer();
    try {
      printRequests(server, 'log', { environment, writeLog: (text) => void lines.push(text) });
      await send(server, 'GET', '/node/5?_format=json', { as: 'editor' });
      await send(server, 'POST', '/node?_format=json', { json: { type: 'islandora_object' } });
      const { url, name } = await server.worlds.fork({});
      await send({ url }, 'DELETE', '/node/%1b%5b2J?_format=json');
      await server.worlds.drop(name);
      await until(() => lines.length >= 3, 'three lines');
      return lines.join('');
    } finally {
      await server.stop();
    }
  };

  it('gets a line for each request of each world, and below it what was wrong', async () => {
    const text = await said({ NO_COLOR: '1' });
    expect(text).toMatch(/^ +1 {2}GET {5}\/node\/5\?_format=json {2}200 {2}getNode {2}editor {2}[\d.]+ ms\n/);
    expect(text).toMatch(/\n +2 {2}POST {4}\/node\?_format=json {2}4\d\d {2}createNode .*\n(?: {6}.*\n)+/);
    expect(text).toMatch(/\n +1 {2}DELETE {2}\/node\/%1b%5b2J/i);
    expect(text).not.toContain('\u001b');
  });

  it('gets them in colours: green for a success, yellow for a refusal', async () => {
    const text = await said({});
    expect(text).toMatch(/^\u001b\[32m.* 200 .*\u001b\[39m\n/);
    expect(text).toMatch(/\n\u001b\[33m.* POST .*\u001b\[39m\n/);
  });
});

describe('An error', () => {
  const system = (code: string, syscall: string): Error =>
    Object.assign(new Error(`${code}: words of Node, ${syscall} '/d'`), { code, syscall, path: '/d' });

  it.each([
    [system('EACCES', 'mkdir'), '/d: no permission. Give this user the right to it, or name another place.'],
    [system('EEXIST', 'mkdir'), '/d: a file, not a directory. Name a directory.'],
    [system('EROFS', 'open'), '/d: the file system is read-only. Name another place, or mount it for writing.'],
    [system('EWHAT', 'open'), "EWHAT: words of Node, open '/d'"],
    [new Error('Validation failed.\n/name: too long\n\n'), 'Validation failed. /name: too long'],
    ['text', 'text'],
  ])('%s is one line', (error, line) => {
    expect(errorLine(error)).toBe(line);
  });

  it('has a line for each violation of a file', () => {
    expect(errorLine(new ConfigurationError('a.yaml:1: one\na.yaml:2: two', { hasLines: true }))).toBe(
      'a.yaml:1: one\na.yaml:2: two',
    );
  });
});

it('A number agrees with its noun', () => {
  expect([counted(0, 'fault'), counted(1, 'fault'), counted(2, 'entity', 'entities')]).toEqual([
    '0 faults',
    '1 fault',
    '2 entities',
  ]);
});
