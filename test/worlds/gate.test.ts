/** Who may ask the control interface: this machine, or whoever has the token. */
import { describe, expect, it } from '@jest/globals';
import { controlRefusal } from '../../src/control/control-access.ts';
import type { PlainRequest } from '../../src/engine/exchange.ts';

const asked = (address: string, headers: PlainRequest['headers'], path = '/_atoll/worlds'): PlainRequest => ({
  ...{ method: 'POST', path, query: '', headers, address },
  body: (async function* () {})(),
});
const here = { host: 'localhost:8000' };

describe('without a control token', () => {
  it.each([
    ['127.0.0.1', here],
    ['::1', { host: '[::1]:8000' }],
    ['::ffff:127.0.0.9', { host: '127.0.0.1' }],
    ['127.0.0.1', { host: 'w7.localhost:8000' }],
    ['127.0.0.1', { ...here, origin: 'http://localhost:5173' }],
    ['127.0.0.1', { ...here, origin: 'http://w7.localhost:8000' }],
    ['127.0.0.1', { ...here, origin: 'http://127.0.0.1:5173', 'sec-fetch-site': 'cross-site' }],
    [
      '127.0.0.1',
      { ...here, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    ],
    ['127.0.0.1', { ...here, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors' }],
  ])('%s with %j is let in', (address, headers) => {
    expect(controlRefusal(asked(address, headers), undefined)).toBeUndefined();
  });

  it.each([
    ['192.0.2.7', here],
    ['127.0.0.1', { host: 'evil.example' }],
    ['127.0.0.1', {}],
    ['127.0.0.1', { host: 'localhost.evil.example' }],
    ['127.0.0.1', { ...here, 'x-forwarded-for': '192.0.2.7' }],
    ['127.0.0.1', { ...here, forwarded: 'for=192.0.2.7' }],
    ['127.0.0.1', { ...here, origin: 'https://evil.example' }],
    ['127.0.0.1', { ...here, origin: 'null' }],
    ['127.0.0.1', { ...here, origin: 'http://localhost.evil.example' }],
    ['127.0.0.1', { ...here, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
    [
      '127.0.0.1',
      { ...here, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    ],
  ])('%s with %j is refused', (address, headers) => {
    expect(controlRefusal(asked(address, headers), undefined)).toMatch(/this machine only/);
    expect(controlRefusal(asked(address, headers, '/_atoll/health'), undefined)).toBeUndefined();
  });
});

describe('with a control token', () => {
  it('everybody who has it is let in, and nobody else, from wherever', () => {
    const from = (address: string, token?: string): string | undefined =>
      controlRefusal(asked(address, token === undefined ? here : { ...here, 'atoll-control': token }), 'let-me-in');
    for (const address of ['127.0.0.1', '192.0.2.7']) {
      expect(from(address, 'let-me-in')).toBeUndefined();
      expect(from(address)).toMatch(/needs the header/);
      for (const wrong of ['', 'let-me-out', 'let-me-in ', 'LET-ME-IN'])
        expect(from(address, wrong)).toMatch(/not the right/);
    }
    expect(controlRefusal(asked('192.0.2.7', {}, '/_atoll/health'), 'let-me-in')).toBeUndefined();
    expect(controlRefusal(asked('192.0.2.7', {}, '/_atoll/health/'), 'let-me-in')).toBeDefined();
  });
});
