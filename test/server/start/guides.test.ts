/** `llms.txt` and the pages of the documentation over HTTP: their types, who may read them, worlds, and that every link answers. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createGuides } from '../../../src/server/server.ts';
import { guideReply } from '../../../src/server/start/own-addresses.ts';
import { baseUrl, createTestAtoll, root, type TestAtoll } from '../../support/atoll.ts';

let atoll: TestAtoll;
beforeAll(async () => {
  atoll = await createTestAtoll();
});

const read = async (path: string): Promise<string> => (await atoll.send('GET', path).expect(200)).text;

/** Each address once that a text leads to on this server, as paths. `base` is the address of the text. */
const linksOf = (text: string, base: string): string[] => {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '');
  const addresses = [...prose.matchAll(/\]\(([^)\s#]+)/g)].map(([, target = '']) => new URL(target, base));
  return addresses.filter(({ origin }) => origin === baseUrl).map(({ pathname }) => pathname);
};

describe('llms.txt', () => {
  it('is plain text in UTF-8, at both addresses', async () => {
    const [first, second] = [await atoll.send('GET', '/llms.txt'), await atoll.send('GET', '/_atoll/llms.txt')];
    expect([first.status, first.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(first.text).toMatch(/^# Atoll\n/);
    expect([second.status, second.text]).toEqual([200, first.text]);
  });

  it('leads to pages whose links all answer', async () => {
    const seen = new Set(['/_atoll/llms.txt']);
    for (const path of seen) {
      const answer = await atoll.send('GET', path);
      expect([path, answer.status]).toEqual([path, 200]);
      if (/\.(md|txt)$/.test(path)) for (const next of linksOf(answer.text, `${baseUrl}${path}`)) seen.add(next);
    }
    const pages = [...seen].filter((path) => path.startsWith('/_atoll/docs/'));
    expect(pages.length).toBe((await createGuides(root).list()).length);
    expect([...seen]).toEqual(expect.arrayContaining(['/openapi.yaml', '/_atoll/openapi.yaml']));
  });

  it('names the addresses of a world below its prefix, and 404 without such a world', async () => {
    await atoll.send('POST', '/_atoll/worlds').set('Content-Type', 'application/json').send({ name: 'w7' }).expect(201);
    const inWorld = await read('/~w7/llms.txt');
    expect(inWorld).toContain(`](${baseUrl}/~w7/_atoll/docs/uploading.md)`);
    expect(linksOf(inWorld, baseUrl).filter((path) => !path.startsWith('/~w7/'))).toEqual([]);
    expect(await read('/~w7/_atoll/docs/uploading.md')).toMatch(/^# Uploading\n/);
    const byHeader = await atoll.send('GET', '/llms.txt').set('Atoll-World', 'w7').expect(200);
    expect(byHeader.headers['content-type']).toBe('text/plain; charset=utf-8');
    await atoll.send('GET', '/~nobody/llms.txt').expect(404, { message: 'There is no such world.' });
  });

  it('leaves its address at the root to an operation of the document', () => {
    const ask = (path: string, operation: string | undefined) =>
      guideReply({ method: 'GET', path } as Parameters<typeof guideReply>[0], { baseUrl }, createGuides(root), {
        operationOf: () => (operation === undefined ? undefined : { id: operation }) as never,
      });
    expect(ask('/llms.txt', 'proposed')).toBeUndefined();
    expect(ask('/llms.txt', undefined)).toBeInstanceOf(Promise);
    expect(ask('/_atoll/llms.txt', 'proposed')).toBeInstanceOf(Promise);
  });
});

describe('A page of the documentation', () => {
  it('is Markdown in UTF-8', async () => {
    for (const [name, title] of [
      ['uploading', '# Uploading'],
      ['faults', '# Failures on demand'],
    ] as const) {
      const { status, headers, text } = await atoll.send('GET', `/_atoll/docs/${name}.md`);
      expect([status, headers['content-type']]).toEqual([200, 'text/markdown; charset=utf-8']);
      expect(text.startsWith(`${title}\n`)).toBe(true);
    }
  });

  it('is 404 with a message when there is none', async () => {
    const message = 'There is no such page. /_atoll/llms.txt lists all.';
    for (const name of ['nothing', 'faults/nothing', 'Uploading', 'uploading.md', '']) {
      await atoll.send('GET', `/_atoll/docs/${name}.md`).expect(404, { message });
    }
  });

  it('answers HEAD without a body, and no other method', async () => {
    for (const path of ['/llms.txt', '/_atoll/llms.txt', '/_atoll/docs/uploading.md']) {
      const [head, get] = [await atoll.send('HEAD', path).expect(200), await atoll.send('GET', path).expect(200)];
      expect([head.headers['content-type'], head.headers['content-length'], head.text]).toEqual([
        get.headers['content-type'],
        String(Buffer.byteLength(get.text)),
        undefined,
      ]);
      const refused = await atoll.send('POST', path);
      expect([refused.status, typeof (refused.body as { message: unknown }).message]).toEqual([404, 'string']);
    }
  });

  it('leaves the API page and its files where they are', async () => {
    expect((await atoll.send('GET', '/_atoll/docs').expect(200)).headers['content-type']).toMatch(/^text\/html/);
    await atoll.send('GET', '/_atoll/docs/page.js').expect(200);
  });

  it('is not remembered as a request of a client', async () => {
    await atoll.send('DELETE', '/_atoll/traffic').expect(204);
    await read('/llms.txt');
    await read('/_atoll/docs/uploading.md');
    expect((await atoll.send('GET', '/_atoll/traffic/count')).body).toMatchObject({ count: 0 });
  });
});

describe('Everybody may read them', () => {
  const paths = ['/llms.txt', '/_atoll/llms.txt', '/_atoll/docs/uploading.md'];

  it('from another machine, and from a page of another origin', async () => {
    for (const path of paths) {
      await atoll.send('GET', path).set('X-Forwarded-For', '192.0.2.1').expect(200);
      await atoll.send('GET', path).set('Origin', 'https://elsewhere.example').expect(200);
    }
  });

  it.each([false, true])('where the server has a control token (that nobody has: %p)', async (isControlClosed) => {
    const guarded = await createTestAtoll({ app: { controlToken: 'let-me-in', isControlClosed } });
    for (const path of paths) await guarded.send('GET', path).expect(200);
    await guarded.send('GET', '/_atoll/model').expect(403);
  });

  it('but where there are no guides they are what any other path is', async () => {
    const without = await createTestAtoll({ app: { guides: undefined } });
    for (const path of paths) await without.send('GET', path).expect(404);
    const told = async (of: TestAtoll): Promise<unknown> => (await of.send('GET', '/_atoll/repository')).body;
    expect(await told(without)).not.toHaveProperty('paths.llms');
    expect(await told(atoll)).toHaveProperty('paths.llms', '/llms.txt');
  });
});
