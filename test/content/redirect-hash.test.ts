/** What the hash of a redirect is made of. */
import { describe, expect, it } from '@jest/globals';
import { redirectHash } from '../../src/repository/content/aliases/path-aliases.ts';

describe('A redirect', () => {
  it('has the hash of the real module', () => {
    // PHP: a:2:{s:8:"language";s:3:"und";s:6:"source";s:3:"a b";} and, with a query, a third member.
    expect(redirectHash('/A b/', {}, 'und')).toBe('CE9WEtMKZZBuYcF5yxzvlEsWYQgUhz8Cp5p4M4d1fEY');
    expect(redirectHash('é', { b: '2', 0: 'x' }, 'en')).toBe('t5ETNulDD8WZKZb-VA4sW4T6MZTfBoiH2MIPaorw8cQ');
  });
});
