/** What a command says of a value that it cannot take: a sentence with the bounds, not the words of a validator. And what its help says of it. */
import { describe, expect, it } from '@jest/globals';
import { type OperationId, surfaceOf } from '../../src/client/client-control.ts';
import { surfaces } from '../../src/client/generated/surfaces.ts';
import { runHere } from '../support/command.ts';

const inputs = (Object.keys(surfaces) as OperationId[]).flatMap((id) => {
  const { command, next, inputs: all } = surfaceOf(id);
  return command === undefined && id !== 'listTraffic' ? [] : all.filter(({ as }) => as !== next);
});

const help = async (...command: string[]): Promise<string> =>
  (await runHere([...command, '--help'])).out.replaceAll(/\s+/g, ' ');

describe('A value of a command', () => {
  it('that has bounds or a pattern has a sentence', () => {
    const silent = inputs.filter(({ schema: { pattern, minimum, maximum, exclusiveMinimum }, form }) => {
      const isBounded = (pattern ?? minimum ?? maximum ?? exclusiveMinimum) !== undefined;
      return isBounded && !/^[A-Z].*\.$/.test(form ?? '');
    });
    expect(silent).toEqual([]);
  });

  it('that has an upper bound has it in the sentence and in the help', () => {
    const bounded = inputs.filter(({ schema: { maximum } }) => maximum !== undefined);
    expect(bounded.length).toBeGreaterThan(3);
    for (const { schema, form, description } of bounded)
      expect([form, description]).toEqual(Array(2).fill(expect.stringMatching(RegExp(`\\b${schema.maximum}\\b`))));
  });
});

describe('The help', () => {
  it.each([
    ['health', /ends with 2 when it does not answer\./],
    ['ready', /ends with 2 and the reason when it may not\./],
    ['reload', /ends with 2 and says where when something is broken\./],
    ['reset', /or to a snapshot\./],
    ['world fork', /and print its base URL\. .*\(default: w1, w2, …\)/],
    ['world drop', /Usage: atoll world drop \[options\] <name\.\.\.> Drop worlds\./],
    ['control-tokens create', /print its secret, which nobody can ask for again\. .*required with --right worlds/],
    ['control-tokens revoke', /Revoke named control tokens\. Their next request is refused\./],
    ['clock set', /\[time\] Set the clock.* Arguments: time the time, such as 2026-01-02T03:04:05Z/],
    ['traffic', /only this operation, such as createNode .*a status such as 404, or a class such as 4xx/],
    ['traffic wait', /Wait until a request matches, and print it; one that is already remembered counts\./],
    ['faults add', /a parameter of the fault, such as status=503; see "atoll faults catalogue"; may be repeated/],
  ])('of %s says what a reader needs', async (command, text) => {
    expect(await help(...command.split(' '))).toMatch(text);
  });
});
