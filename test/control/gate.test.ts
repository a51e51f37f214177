/** Who may ask the control interface: this machine, or whoever has the token. */
import { describe, expect, it } from '@jest/globals';
import { controlRefusal } from '../../src/server/control/control-access.ts';
import type { PlainRequest } from '../../src/openapi/openapi-host.ts';

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
    ['127.0.0.1', { ...here, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors' }],
    ['127.0.0.1', { ...here, 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
    ['127.0.0.1', { ...here, origin: 'http://localhost:8000' }],
    ['127.0.0.1', { ...here, origin: 'http://localhost:8000', 'sec-fetch-site': 'same-origin' }],
    ['127.0.0.1', { host: 'W7.localhost:8000', origin: 'http://w7.localhost:8000' }],
    ['127.0.0.1', { host: '127.0.0.1', origin: 'http://127.0.0.1' }],
    // A front end's own server passes its requests on, as that of Vite does.
    ['127.0.0.1', { ...here, origin: 'http://localhost:5173', 'sec-fetch-site': 'same-origin' }],
  ])('%s with %j is let in', (address, headers) => {
    expect(controlRefusal(asked(address, headers), {})).toBeUndefined();
  });

  it.each([
    [{ ...here, origin: 'http://localhost:5173' }],
    [{ ...here, origin: 'http://localhost' }],
    [{ ...here, origin: 'https://localhost:8000' }],
    [{ ...here, origin: 'http://w7.localhost:8000' }],
    [{ ...here, origin: 'http://localhost:5173', 'sec-fetch-site': 'same-site' }],
    [{ ...here, origin: 'http://127.0.0.1:5173', 'sec-fetch-site': 'cross-site' }],
    [{ ...here, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' }],
  ])('a page on this machine that is not of the server may neither read nor change anything: %j', (headers) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(controlRefusal({ ...asked('127.0.0.1', headers), method }, {})).toMatch(
        /^A page of .* may change nothing/,
      );
    }
    for (const method of ['GET', 'HEAD']) {
      expect(controlRefusal({ ...asked('127.0.0.1', headers), method }, {})).toMatch(/^A page of .* may read nothing/);
    }
  });

  it.each(['same-site', 'cross-site'])('who follows a link of a %s page reads, and changes nothing', (site) => {
    const followed = { 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    const refusal = (method: string): string | undefined =>
      controlRefusal({ ...asked('127.0.0.1', { ...here, ...followed }), method }, {});
    expect(refusal('GET')).toBeUndefined();
    expect(refusal('POST')).toMatch(/^A page of .* may change nothing/);
  });

  it('a page whose origin was allowed may change something, whatever its machine', () => {
    const controlOrigins = ['http://localhost:5173', 'https://app.example'];
    const from = (origin: string): string | undefined =>
      controlRefusal(asked('127.0.0.1', { ...here, origin, 'sec-fetch-site': 'cross-site' }), { controlOrigins });
    for (const origin of controlOrigins) expect(from(origin)).toBeUndefined();
    expect(from('http://localhost:5174')).toMatch('--control-origins http://localhost:5174');
    expect(from('https://other.example')).toMatch('--control-origins https://other.example');
    const elsewhere = { ...asked('192.0.2.7', { ...here, origin: 'https://app.example' }) };
    expect(controlRefusal(elsewhere, { controlOrigins })).toMatch(/this machine only/);
  });

  it.each([
    ['192.0.2.7', here],
    ['127.0.0.1', { host: 'evil.example' }],
    ['127.0.0.1', {}],
    ['127.0.0.1', { host: 'localhost.evil.example' }],
    ['127.0.0.1', { ...here, 'x-forwarded-for': '192.0.2.7' }],
    ['127.0.0.1', { ...here, forwarded: 'for=192.0.2.7' }],
  ])('%s with %j is refused', (address, headers) => {
    expect(controlRefusal(asked(address, headers), {})).toMatch(/this machine only/);
    expect(controlRefusal(asked(address, headers, '/_atoll/health'), {})).toBeUndefined();
  });

  it.each([
    ['https://evil.example', { ...here, origin: 'https://evil.example' }],
    ['another origin', { ...here, origin: 'null' }],
    ['http://localhost.evil.example', { ...here, origin: 'http://localhost.evil.example' }],
    [
      'another origin',
      { ...here, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
    ],
    [
      'another origin',
      { ...here, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    ],
  ])('a page of %s from elsewhere may not even read: %j', (page, headers) => {
    const refusal = (method: string): string | undefined =>
      controlRefusal({ ...asked('127.0.0.1', headers), method }, {});
    expect(refusal('POST')).toMatch(`A page of ${page} may change nothing here.`);
    expect(refusal('GET')).toMatch(`A page of ${page} may read nothing here.`);
    expect(controlRefusal(asked('127.0.0.1', headers, '/_atoll/health'), {})).toBeUndefined();
  });
});

describe('with a control token', () => {
  const access = { controlToken: 'let-me-in' };
  it('everybody who has it is let in, and nobody else, from wherever', () => {
    const from = (address: string, token?: string): string | undefined =>
      controlRefusal(asked(address, token === undefined ? here : { ...here, 'atoll-control': token }), access);
    for (const address of ['127.0.0.1', '192.0.2.7']) {
      expect(from(address, 'let-me-in')).toBeUndefined();
      expect(from(address)).toMatch(/needs the header/);
      for (const wrong of ['', 'let-me-out', 'let-me-in ', 'LET-ME-IN'])
        expect(from(address, wrong)).toMatch(/not the right/);
    }
    const page = { host: 'localhost:8000', origin: 'https://app.example', 'sec-fetch-site': 'cross-site' };
    expect(controlRefusal(asked('192.0.2.7', { ...page, 'atoll-control': 'let-me-in' }), access)).toBeUndefined();
    expect(controlRefusal(asked('192.0.2.7', page), access)).toMatch(/needs the header/);
    expect(controlRefusal(asked('192.0.2.7', {}, '/_atoll/health'), access)).toBeUndefined();
    expect(controlRefusal(asked('192.0.2.7', {}, '/_atoll/health/'), access)).toBeDefined();
  });
});
