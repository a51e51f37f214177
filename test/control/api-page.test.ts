/** The API page as it is served: its parts, its policy, its accounts. What it does in a browser is `test/system/browser/api-page.browser.ts`. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';

let atoll: TestAtoll;
beforeAll(async () => {
  atoll = await createTestAtoll();
});

/** The addresses of all that a page loads, as a browser resolves them. */
const partsOf = (page: string, url: string): string[] =>
  [...page.matchAll(/(?:src|rel="stylesheet" href)="([^"]+)"/g)].map(([, path = '']) => new URL(path, url).pathname);

describe('The API page', () => {
  it.each(['/_atoll/docs', '/_atoll/docs/', '/_atoll/docs/control', '/~main/_atoll/docs'])(
    'is served at %s with 200, and everything that it loads with it',
    async (path) => {
      const page = await atoll.send('GET', path);
      expect([page.status, page.type]).toEqual([200, 'text/html']);
      const parts = partsOf(page.text, `http://localhost${path}`);
      expect(parts).toHaveLength(3);
      for (const part of parts) {
        expect(part).toMatch(new RegExp(`^${path.startsWith('/~') ? '/~main' : ''}/_atoll/docs/`));
        const answer = await atoll.send('HEAD', part);
        expect([answer.status, answer.type]).toEqual([200, part.endsWith('.css') ? 'text/css' : 'text/javascript']);
      }
    },
  );

  it('allows nothing from elsewhere, and no script but its own', async () => {
    const { headers } = await atoll.send('HEAD', '/_atoll/docs');
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(policy).not.toMatch(/http|\*|unsafe-eval|script-src[^;]*unsafe/);
  });

  it('offers accounts on the page of the repository alone, and itself says nothing of the repository', async () => {
    const { text } = await atoll.send('GET', '/_atoll/docs');
    expect(text).toContain('<form id="who" hidden>');
    expect((await atoll.send('GET', '/_atoll/docs/control')).text).not.toContain('<option');
    const other = await createTestAtoll({
      fixture: 'empty',
      site: (site) => ({ ...site, name: 'Other', accounts: [] }),
    });
    expect((await other.send('GET', '/_atoll/docs')).text).toBe(text);
  });

  it('is refused with 403 for callers from elsewhere, its parts too', async () => {
    for (const path of ['/_atoll/docs', '/_atoll/docs/swagger-ui-bundle.js']) {
      const answer = await request(atoll.server).get(path).set('X-Forwarded-For', '192.0.2.1');
      expect(answer.status).toBe(403);
    }
  });

  it('has no other parts (404) and takes no writes (404)', async () => {
    expect((await atoll.send('GET', '/_atoll/docs/package.json')).status).toBe(404);
    expect((await atoll.send('GET', '/_atoll/docs/..%2f..%2fpackage.json')).status).toBe(404);
    expect((await atoll.send('POST', '/_atoll/docs')).status).toBe(404);
  });

  it('leads to the console', async () => {
    const { text } = await atoll.send('GET', '/~main/_atoll/docs/control');
    const [, address = ''] = /<a href="([^"]*)" target="_top">Console<\/a>/.exec(text) ?? [];
    const { pathname } = new URL(address, 'http://localhost/~main/_atoll/docs/control');
    expect(pathname).toBe('/~main/_atoll/');
    await atoll.send('GET', pathname).expect(200);
  });
});
