/** What the pages below `/_atoll` ask for themselves is not counted. The scripts of the pages run here as they are served. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { runInNewContext } from 'node:vm';
import type { components } from '../../src/client/generated/control.ts';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { serveOnPort, type Served } from '../support/server.ts';

type Schemas = components['schemas'];
type Init = { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: string };

let atoll: TestAtoll;
let served: Served;

beforeAll(async () => {
  atoll = await createTestAtoll();
  served = await serveOnPort(atoll);
});

beforeEach(async () => {
  await atoll.send('delete', '/_atoll/traffic').expect(204);
  await atoll.send('delete', '/_atoll/coverage').expect(204);
});

afterAll(() => served.stop());

const json = async (path: string): Promise<unknown> => (await atoll.send('get', path).expect(200)).body;
const remembered = async (): Promise<string[]> =>
  ((await json('/_atoll/traffic')) as Schemas['TrafficPage']).entries.map(({ method, path }) => `${method} ${path}`);
const counted = async (): Promise<string[]> =>
  ((await json('/_atoll/coverage?format=json')) as Schemas['Coverage']).answers.map(({ operation }) => operation);

/** An element of a page. `said` is told whenever the script changes the text. */
class Element extends EventTarget {
  readonly dataset = { document: '/openapi.json' };
  readonly elements = { account: { append: () => undefined } };
  hidden = true;
  readonly said = new EventTarget();
  #text = '';
  get textContent(): string {
    return this.#text;
  }
  set textContent(text: string) {
    this.#text = text;
    this.said.dispatchEvent(new Event('said'));
  }
}

/** Runs the script of a page. `asked` has every path that it asked for. */
const openPage = (script: string, path: string, fields: Readonly<Record<string, string>>) => {
  const elements = new Map<string, Element>();
  const asked: string[] = [];
  const shown = new EventTarget();
  const options: { requestInterceptor?: (request: object) => object } = {};
  const elementOf = (id: string): Element => {
    const element = elements.get(id) ?? new Element();
    elements.set(id, element);
    return element;
  };
  const send = (address: string, init?: Init): Promise<Response> => {
    const url = new URL(address, served.url);
    asked.push(`${init?.method ?? 'GET'} ${url.pathname}`);
    return fetch(url, init);
  };
  const window = {};
  runInNewContext(script, {
    ...{ window, fetch: send, btoa, TextEncoder, encodeURIComponent, Option: Element },
    sessionStorage: { getItem: () => null },
    // What Swagger UI draws is seen in `test/system/browser`.
    MutationObserver: class {
      observe = (): void => undefined;
    },
    matchMedia: () => ({ matches: false, addEventListener: () => undefined }),
    ...{
      location: new URL(path, served.url),
      document: { getElementById: elementOf, cookie: '', documentElement: { classList: { toggle: () => false } } },
    },
    FormData: class {
      get = (name: string): string | undefined => fields[name];
    },
    SwaggerUIBundle: (given: typeof options) => {
      Object.assign(options, given);
      shown.dispatchEvent(new Event('shown'));
      return { preauthorizeApiKey: () => undefined };
    },
    ui: { preauthorizeApiKey: () => undefined, authActions: { logout: () => undefined } },
  });
  const says = async (text: string): Promise<void> => {
    const status = elementOf('status');
    while (status.textContent !== text) await once(status.said, 'said');
  };
  return { elementOf, asked, says, shown, options };
};

const apiPageScript = async (): Promise<string> => (await atoll.send('get', '/_atoll/docs/page.js')).text;

describe('Traffic and coverage', () => {
  it.each(['token', 'session'])('do not count how the API page loads and logs in with a %s', async (scheme) => {
    const account = JSON.stringify(['editor', 'editor']);
    const page = openPage(await apiPageScript(), '/_atoll/docs', { account, scheme });
    await once(page.shown, 'shown');
    page.elementOf('who').dispatchEvent(new Event('change'));
    await page.says(`editor asks, with a ${scheme}.`);
    expect(page.asked.length).toBeGreaterThan(1);
    page.elementOf('who').dispatchEvent(new Event('change'));
    await once(page.elementOf('status').said, 'said');
    expect(page.asked.filter((path) => path === 'POST /user/logout')).toHaveLength(scheme === 'session' ? 1 : 0);
    expect([await remembered(), await counted()]).toEqual([[], []]);
  });

  it('count what a user executes on the API page', async () => {
    const page = openPage(await apiPageScript(), '/_atoll/docs', {});
    await once(page.shown, 'shown');
    const request = { url: `${served.url}/node/2?_format=json`, method: 'GET', headers: {} };
    const sent = page.options.requestInterceptor?.(request) as typeof request & Init;
    await (await fetch(sent.url, { method: sent.method, headers: sent.headers })).text();
    expect([await remembered(), await counted()]).toEqual([['GET /node/2?_format=json'], ['getNode']]);
  });

  it('do not count their own requests and documents', async () => {
    for (const path of [
      '/_atoll/traffic',
      '/_atoll/coverage',
      '/_atoll/traffic.har',
      '/openapi.json',
      '/favicon.ico',
    ]) {
      await atoll.send('get', path);
    }
    expect([await remembered(), await counted()]).toEqual([[], []]);
  });
});
