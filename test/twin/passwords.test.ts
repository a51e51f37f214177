/** Which passwords of a recording, which shows placeholders in their place, are the right ones. */
import { describe, expect, it } from '@jest/globals';
import { createPasswords } from '../../src/checks/twin/credentials/passwords.ts';
import { basicCredentials } from '../../src/basics/formats/basic-credentials.ts';
import { request } from './exchanges.ts';

type Use = readonly [placeholder: number, method: string, status: number];

const placeholder = (number: number): string => `Basic [redacted:authorization:${number}]`;

/** What Atoll is sent for a refusal with an empty message, after a recording of these uses by one account. */
const sentFor = (uses: readonly Use[], number = 1): string => {
  const passwords = createPasswords((name) => (name === 'plain' ? 'own password' : undefined));
  passwords.noteAll(
    uses.map(([of, method, status]) => ({
      request: { ...request(method, '/node'), headers: [['Authorization', placeholder(of)]] as const },
      ...{ reply: { status }, account: 'plain' },
    })),
  );
  return passwords.basic(placeholder(number), { from: 'target', status: 403, account: 'plain', hasNoMessage: true });
};

const right = basicCredentials('plain', 'own password');

describe('The password of an account in a recording', () => {
  it.each<[string, Use[], string]>([
    [
      'is right when the target has taken it for a write',
      [
        [1, 'POST', 201],
        [2, 'POST', 403],
      ],
      right,
    ],
    [
      'is right when it is the only one, and was never 401: the account may do nothing',
      [
        [1, 'POST', 403],
        [1, 'GET', 200],
      ],
      right,
    ],
    [
      'is taken for wrong when it was 401',
      [
        [1, 'POST', 403],
        [1, 'GET', 401],
      ],
      placeholder(1),
    ],
    [
      'is taken for wrong when it is one of several',
      [
        [1, 'POST', 403],
        [2, 'POST', 403],
      ],
      placeholder(1),
    ],
    [
      'is wrong when another is right',
      [
        [1, 'POST', 403],
        [2, 'POST', 201],
      ],
      placeholder(1),
    ],
  ])('%s', (_what, uses, sent) => {
    expect(sentFor(uses)).toBe(sent);
  });
});
