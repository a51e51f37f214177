/** Runs the commands of docs/use/faults.md as they are printed, and `atoll faults` with what it refuses, by the built program. */
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { runHere } from '../../support/command.ts';
import { type RunningProgram, startProgram } from '../../support/program.ts';
import { walkGuide } from './guide.ts';

jest.setTimeout(60_000);

let program: RunningProgram;
beforeAll(async () => {
  program = await startProgram(['--memory']);
});
afterAll(async () => {
  await program.stop();
});

it('does what the guide says, command by command', async () => {
  const printed = await walkGuide('docs/use/faults.md', program.url);
  expect(printed).toHaveLength(4);
  const [first = '', second = '', third = '', fourth = ''] = printed;
  expect(first).toBe('f1\n503\n200\n');
  expect(second).toMatch(/^ {2}f1 {2}status {2}status=503 .*operations=getNode.*\(has struck 1 times\)\n$/);
  const [status, seconds, ...rest] = third.trim().split('\n');
  expect([status, Number(seconds) >= 0.4]).toEqual(['500', true]);
  expect(rest.join('\n')).toMatch(/^\{"nid".{94}curl ended with 18$/);
  expect(fourth).toMatch(/^\{"id":"f\d+"\}$/);
});

it('prints the catalogue without a server', async () => {
  const { code, out } = await runHere(['faults', 'catalogue']);
  expect(code).toBe(0);
  expect(out).toMatch(
    /slow-answer\n {4}The body of the answer trickles in\.\n {4}Source: transport\n {4}--set bytesPerSecond=…/,
  );
});

it.each([
  [['add', 'nope'], 'There is no fault "nope"'],
  [['add', 'latency', '--set', 'ms=-1'], 'latency: ms is a number from 0 to 60000'],
  [['add', 'status', '--operation', 'getNod'], 'There is no operation "getNod"'],
  [['rm', 'f99'], 'There is no fault "f99"'],
])('ends with 2 and says why for %j', async (args, message) => {
  const { code, error } = await runHere(['faults', ...args, '--url', program.url]);
  expect([code, error]).toEqual([2, expect.stringContaining(message)]);
});

it('ends with 2 when nobody answers', async () => {
  const { code, error } = await runHere(['faults', 'ls', '--url', 'http://localhost:1']);
  expect([code, error]).toEqual([2, expect.stringContaining('Nobody answers at http://localhost:1')]);
});
