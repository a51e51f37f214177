/** A browser at the address of a record gets a page, through the front door; everybody else gets what the document says. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Test } from 'supertest';
import type { components } from '../../src/client/generated/control.ts';
import { labelOf } from '../../src/repository/repository.ts';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { anonymous, basic, bearer, cookie, headersOf, linksOf, visit, type Visitor } from '../support/requests.ts';

const atoll = await createTestAtoll({ site: (site) => ({ ...site, prefixLanguages: ['fr'] }) });
const without = await createTestAtoll({ app: { pages: false } });
beforeEach(() => atoll.reset());
/** A page that breaks inside the server would be told as an event. */
afterEach(() => expect(atoll.events.filter(({ kind }) => kind === 'failed')).toEqual([]));

/** What Firefox and Chromium send for the address line. */
const browsers = [
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
] as const;

const page = (path: string, visitor: Visitor = anonymous, on: TestAtoll = atoll, method = 'GET'): Test =>
  visit(on, visitor, method, path).set('Accept', browsers[0]);

const admin = basic('admin');

describe('A browser', () => {
  it.each([
    ['/node/5', 'Fishing fleet at anchor off Gannet Point'],
    ['/node/5/', 'Fishing fleet at anchor off Gannet Point'],
    ['/media/1', 'fleet-at-anchor.png'],
    ['/taxonomy/term/24', 'Image'],
    ['/user/2', 'editor'],
  ])('at %s gets a page without scripts: 200', async (path, title) => {
    for (const accept of browsers) {
      const answer = await page(path, admin).set('Accept', accept).expect(200);
      expect(answer.headers).toMatchObject({
        'content-type': 'text/html; charset=UTF-8',
        vary: 'Accept',
        'content-length': String(Buffer.byteLength(answer.text)),
        'content-security-policy': expect.stringMatching(/^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; /),
      });
      expect(answer.text).toMatch(/^<!doctype html>\n<html lang="en">/);
      expect(answer.text).toContain(`<title>${title} | Contract Site</title>`);
      expect(answer.text).not.toMatch(/<script|<form|javascript:| on\w+="/);
    }
  });

  it.each(['/node/5', '/node/2', '/media/1', '/taxonomy/term/24', '/user/2'])(
    'at %s gets the links of the JSON answer, and one to the JSON',
    async (path) => {
      for (const visitor of [anonymous, admin]) {
        const json = await visit(atoll, visitor, 'GET', `${path}?_format=json`);
        const shown = await page(path, visitor);
        if (json.status !== 200) {
          expect([shown.status, shown.headers['link']]).toEqual([403, undefined]);
          continue;
        }
        const own = { rel: 'alternate', type: 'application/json', uri: `http://localhost:8000${path}?_format=json` };
        const expected = linksOf(json);
        const links = linksOf(shown);
        expect(links.filter((link) => link.uri !== own.uri)).toEqual(expected);
        if (expected.some(({ rel }) => rel === 'alternate')) expect(links).toContainEqual(own);
        for (const { uri } of links) expect(shown.text).toContain(uri.replaceAll('&', '&amp;'));
      }
    },
  );

  it('on a page of another origin is told that both headers count', async () => {
    const { headers } = await page('/node/5').set('Origin', 'http://localhost:3000').expect(200);
    expect(headers).toMatchObject({
      vary: 'Accept, Origin',
      'access-control-allow-origin': 'http://localhost:3000',
    });
  });

  it('gets with HEAD the same headers and no body', async () => {
    for (const [path, status] of [
      ['/node/5', 200],
      ['/node/11', 403],
      ['/node/999', 404],
    ] as const) {
      const whole = await page(path).expect(status);
      const head = await page(path, anonymous, atoll, 'HEAD').expect(status);
      expect(headersOf(head)).toEqual(headersOf(whole));
      expect([undefined, '']).toContain(head.text);
    }
  });

  it('sees the fields and media that it may see, and who it is: by Basic, token and session', async () => {
    const guest = await page('/node/5').expect(200);
    expect(guest.text).toContain('Not logged in');
    expect(guest.text).not.toContain('/media/1"');
    for (const visitor of [basic('editor'), await bearer(atoll, 'editor'), await cookie(atoll, 'editor')]) {
      const { text } = await page('/node/5', visitor).expect(200);
      expect(text).toContain('You are <strong>editor</strong>');
      expect(text).toContain('<a href="/media/1"');
    }
    const [own, other] = [await page('/user/2', basic('editor')), await page('/user/2', basic('admin'))];
    expect([own.text.includes('editor@'), own.text.includes('Roles')]).toEqual([true, false]);
    expect([other.text.includes('editor@'), other.text.includes('Roles')]).toEqual([true, true]);
  });

  it('finds data, console and pictures below the prefix of its world', async () => {
    const made = await atoll.send('POST', '/_atoll/worlds').send({ name: 'w9' }).expect(201);
    expect(made.body).toMatchObject({ url: 'http://localhost:8000/~w9' });
    const { text, headers } = await page('/~w9/node/5', admin).expect(200);
    for (const href of ['/~w9/node/5?_format=json', '/~w9/_atoll/#/entities/node/5', '/~w9/node/2', '/~w9/media/1']) {
      expect(text).toContain(`href="${href}"`);
    }
    expect(text).toContain('src="/~w9/_flysystem/fedora/2019-03/fleet-at-anchor.png"');
    expect(text).toContain('world w9');
    expect(headers['link']).toContain('<http://localhost:8000/~w9/node/5>; rel="canonical"');
    await atoll.send('DELETE', '/_atoll/worlds/w9').expect(204);
  });

  it('ends at the page behind an alias, and follows a redirect to it', async () => {
    const make = (path: string, body: object) =>
      atoll
        .send('POST', `${path}?_format=json`, 'admin')
        .set('Content-Type', 'application/json')
        .send(body)
        .expect(201);
    await make('/entity/path_alias', { path: [{ value: '/node/5' }], alias: [{ value: '/letters/from-riel' }] });
    const { text } = await page('/Letters/from-riel').expect(200);
    expect(text).toContain('Fishing fleet at anchor');
    await make('/entity/redirect', {
      ...{ type: [{ value: 'redirect' }], redirect_source: [{ path: 'old' }] },
      redirect_redirect: [{ uri: 'internal:/node/5' }],
    });
    const moved = await page('/old').expect(301);
    expect(moved.headers['location']).toBe('http://localhost:8000/node/5');
  });

  it('reads a translation below its prefix, and is led to the others', async () => {
    const { store } = atoll.world();
    const [node] = await store.getMany(['node:5']);
    if (node === undefined) throw new Error('The starter archive has no node 5.');
    const put = { ...node, translations: { fr: { title: [{ value: 'Une flotte' }] } } };
    await store.transact([], () => ({ changes: [{ put }], result: undefined }));
    const own = await page('/node/5').expect(200);
    expect(own.text).toContain('<a href="/fr/node/5" hreflang="fr">French</a>');
    const french = await page('/fr/node/5').expect(200);
    expect(french.text).toContain('<h1 dir="auto" lang="fr">Une flotte</h1>');
    expect(french.text).toContain('<a href="/node/5" hreflang="en">English</a>');
    expect(french.text).toContain('href="/fr/node/2"');
  });

  it('turns the pages of the members of a collection', async () => {
    const { store } = atoll.world();
    const [node] = await store.getMany(['node:5']);
    if (node === undefined) throw new Error('The starter archive has no node 5.');
    const changes = Array.from({ length: 120 }, (_, at) => ({
      put: {
        ...node,
        id: 2000 + at,
        uuid: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
        fields: { ...node.fields, title: [{ value: `Member ${at}` }], field_member_of: [{ target_id: 8 }] },
      },
    }));
    await store.transact([], () => ({ changes, result: undefined }));
    const first = (await page('/node/8').expect(200)).text;
    const total = Number(/Members \((\d+)\)/.exec(first)?.[1]);
    expect(total).toBeGreaterThanOrEqual(120);
    const counted = (text: string): number =>
      (/<ol class="members"[^]*?<\/ol>/.exec(text)?.[0].match(/<li>/g) ?? []).length;
    expect(counted(first)).toBe(50);
    expect(first).toContain('href="/node/8?page=1#members" rel="next"');
    const last = Math.ceil(total / 50) - 1;
    for (const query of [`page=${last}`, 'page=999999']) {
      const { text } = await page(`/node/8?${query}`).expect(200);
      expect([counted(text), text.includes('rel="next"'), text.includes('rel="prev"')]).toEqual([
        total - last * 50,
        false,
        true,
      ]);
    }
    for (const query of ['page=x', 'page=-1', 'page=', 'page=1e3']) {
      expect((await page(`/node/8?${query}`).expect(200)).text).toContain(`Page 1 of ${last + 1}`);
    }
  });
});

describe('A refusal', () => {
  it.each([
    ['/node/11', anonymous, 403, 'Access denied', 'You are not logged in'],
    ['/node/11', basic('viewer'), 403, 'Access denied', 'This account may not see it'],
    ['/node/11', basic('editor', 'wrong'), 401, 'Log in', 'belong to no account'],
    ['/media/1', anonymous, 403, 'Access denied', "The 'view media' permission is required"],
    [
      '/node/999',
      anonymous,
      404,
      'Page not found',
      'The &quot;node&quot; parameter was not converted for the path &quot;/node/{node}&quot;',
    ],
    ['/media/999', admin, 404, 'Page not found', '(route name: &quot;entity.media.canonical&quot;)'],
    ['/taxonomy/term/999', admin, 404, 'Page not found', 'taxonomy_term'],
    ['/user/999', admin, 404, 'Page not found', 'entity.user.canonical'],
    ['/user/0', admin, 403, 'Access denied', ''],
  ])('of %s to %o is a page: %i', async (path, visitor, status, title, reason) => {
    const answer = await page(path, visitor).expect(status);
    expect([answer.type, answer.headers['vary'], answer.headers['link']]).toEqual(['text/html', 'Accept', undefined]);
    expect(answer.text).toContain(`<h1>${title}</h1>`);
    expect(answer.text).toContain(reason);
    expect(answer.headers['www-authenticate']).toBe(status === 401 ? 'Basic realm="Contract Site"' : undefined);
  });

  it('of wrong credentials comes only where a record is not for everybody: 200', async () => {
    expect((await page('/node/5', basic('editor', 'wrong')).expect(200)).text).toContain('Not logged in');
  });

  it('tells nothing of the record', async () => {
    const [node] = await atoll.world().store.getMany(['node:11']);
    const title = node === undefined ? 'no node 11' : labelOf(node);
    expect((await page('/node/11', admin).expect(200)).text).toContain(title);
    expect((await page('/node/11').expect(403)).text).not.toContain(title);
  });
});

/** What belongs to no page: the answers of a server that has none. */
const paths = ['/node/5', '/node/11', '/node/999', '/node/x', '/media/1', '/user/1', '/taxonomy/term/24', '/nothing'];

describe('Everybody else', () => {
  it.each([
    undefined,
    '*/*',
    'application/json',
    'application/json, text/plain, */*',
    'text/*',
    'application/json, text/html;q=0.9',
    'application/ld+json, text/html;q=0.5',
    'text/html;q=0',
    'text/html;q=0, */*',
    'text/html;q=0.4, */*;q=0.5',
    'text/htmlx, */*',
  ])('with Accept: %s gets what a server without pages answers, in every byte', async (accept) => {
    for (const path of paths) {
      for (const method of ['GET', 'HEAD']) {
        const asked = (on: TestAtoll): Test => {
          const request = on.send(method, path);
          return accept === undefined ? request.unset('Accept') : request.set('Accept', accept);
        };
        const here = await asked(atoll);
        const there = await asked(without);
        expect([here.status, headersOf(here), here.text]).toEqual([there.status, headersOf(there), there.text]);
        expect(here.headers).not.toHaveProperty('vary');
      }
    }
  });

  it.each([
    ['GET', '/node/5?_format=json'],
    ['GET', '/node/5?_format=jsonld'],
    ['GET', '/node/5?_format=html'],
    ['GET', '/node/5/linkset'],
    ['GET', '/node/x'],
    ['GET', '/node/05'],
    ['GET', '/Node/5'],
    ['GET', '/entity/file/1'],
    ['GET', '/media/1/edit'],
    ['GET', '/nothing'],
    ['OPTIONS', '/node/5'],
    ['DELETE', '/node/5'],
    ['POST', '/node/5'],
  ])('and a browser gets no page for %s %s', async (method, path) => {
    const [here, there] = await Promise.all([
      page(path, anonymous, atoll, method),
      page(path, anonymous, without, method),
    ]);
    expect([here.status, headersOf(here), here.text]).toEqual([there.status, headersOf(there), there.text]);
    expect(here.type).not.toBe('text/html');
  });

  it.each([
    'text/html',
    'TEXT/HTML',
    'text/html, application/json',
    'text/html;q=0.5, application/json;q=0.5',
    'text/html;level=1',
  ])('but Accept: %s asks for a page', async (accept) => {
    expect((await atoll.send('GET', '/node/5').set('Accept', accept).expect(200)).type).toBe('text/html');
  });

  it('is answered alone where the switch is off: 406', async () => {
    expect((await page('/node/5', anonymous, without).expect(406)).type).toBe('application/json');
  });
});

describe('A page in the traffic', () => {
  type Entry = components['schemas']['TrafficEntry'];
  const entries = async (): Promise<readonly Entry[]> => {
    const { body } = (await atoll.send('GET', '/_atoll/traffic').expect(200)) as { body: { entries: Entry[] } };
    return body.entries;
  };

  it('is named as one, belongs to no operation, breaks nothing and is not counted', async () => {
    await atoll.send('DELETE', '/_atoll/traffic').expect(204);
    await atoll.send('DELETE', '/_atoll/coverage').expect(204);
    await page('/node/5', admin).expect(200);
    await page('/node/11').expect(403);
    await page('/node/999').expect(404);
    await page('/node/5', anonymous, atoll, 'HEAD').expect(200);
    const seen = await entries();
    expect(seen.map(({ status }) => status).sort()).toEqual([200, 200, 403, 404]);
    for (const entry of seen) {
      expect(entry).toMatchObject({ page: true, operation: null, requestFaults: [], replyFaults: [] });
      expect(entry.verdict).toEqual({ request: 'kept', reply: 'unchecked' });
      expect(entry).not.toHaveProperty('corrected');
    }
    expect(seen.find(({ status, method }) => status === 200 && method === 'GET')?.identity).toMatchObject({
      name: 'admin',
    });
    const { body } = (await atoll.send('GET', '/_atoll/coverage').expect(200)) as { body: { answers: unknown[] } };
    expect(body.answers).toEqual([]);
    expect(atoll.events.filter(({ kind }) => kind === 'answered' || kind === 'reply-breaks-contract')).toEqual(
      atoll.events.filter(
        (event) => event.kind === 'answered' && /^(clear|list|get)(Traffic|Coverage)/.test(event.operation),
      ),
    );
  });

  it('does not hide what other requests break', async () => {
    await atoll.send('DELETE', '/_atoll/traffic').expect(204);
    await atoll.send('GET', '/node/5').expect(406);
    await page('/nothing').expect(404);
    const seen = await entries();
    expect(seen.map(({ verdict }) => verdict.request)).toEqual(['broken', 'broken']);
    for (const entry of seen) expect(entry).not.toHaveProperty('page');
  });
});
