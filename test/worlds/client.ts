/** A client of worlds for tests: any method, any path, any headers, over the whole application. */
import request from 'supertest';
import { basic } from '../support/visitors.ts';
import type { TestAtoll } from '../support/atoll.ts';

export type Headers = Readonly<Record<string, string>>;
/** `cookies` are the values of `Set-Cookie`. */
export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly cookies: readonly string[];
  readonly text: string;
  /** The parsed JSON; an empty object where there is none. */
  readonly body: unknown;
};
export type Send = (
  method: string,
  path: string,
  body?: object | string | Buffer,
  headers?: Headers,
) => Promise<Answer>;

export const admin: Headers = basic('admin').headers;

type Method = 'get' | 'head' | 'post' | 'patch' | 'delete' | 'put';

/** Sends JSON for an object, and text as it is. */
export const sendTo =
  ({ app }: Pick<TestAtoll, 'app'>, always: Headers = {}): Send =>
  async (method, path, body, headers = {}) => {
    const started = request(app)
      [method.toLowerCase() as Method](path)
      .set({ ...always, ...headers }); // tests write methods that supertest has
    const response = await (body === undefined ? started : started.send(body));
    const { 'set-cookie': cookies = [], ...rest } = response.headers as Headers & { 'set-cookie'?: string[] }; // as Node gives them
    return { status: response.status, text: response.text, body: response.body as unknown, headers: rest, cookies };
  };

export const nodeBody = (title: string) => ({
  type: [{ target_id: 'islandora_object' }],
  title: [{ value: title }],
  field_model: [{ target_id: 24 }],
});

/** A change that a PATCH makes. */
export const titleBody = (title: string) => ({ type: [{ target_id: 'islandora_object' }], title: [{ value: title }] });

/** The title of a node, or the status that was met instead. */
export const titleOf = async (send: Send, path: string, headers?: Headers): Promise<string | number | undefined> => {
  const { status, body } = await send('GET', `${path}?_format=json`, undefined, headers);
  return status === 200 ? (body as { title: { value: string }[] }).title[0]?.value : status; // a node
};
