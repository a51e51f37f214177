/** The rules that explain differences name rows that the guide has. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createExplain } from '../../src/checks/differences/explain.ts';
import { root } from '../support/atoll.ts';
import { deliberateDifferences } from './deliberate-differences.ts';
import { answered, reply, request } from '../twin/exchanges.ts';
import type { HeaderLine } from '../../src/exchange/exchange.ts';

const differences = await deliberateDifferences();
const explain = createExplain(differences);

describe('The differences on purpose', () => {
  it('have ids of their own', () => {
    expect(new Set(differences.map(({ id }) => id)).size).toBe(differences.length);
  });

  it('are rows of the page of what Atoll does not have, where they say so', () => {
    const page = readFileSync(join(root, 'docs/use/not-emulated.md'), 'utf8');
    const others = differences.filter((one) => one.page === 'not-emulated');
    expect(others.filter(({ question }) => !page.includes(`\n| ${question} `))).toEqual([]);
  });

  it('have a cause next to the place, or show in the values of one place', () => {
    const open = differences.flatMap(({ id, shows }) =>
      shows
        .filter(({ status, places, ...one }) => {
          const isAny = ([theirs, ours]: readonly unknown[]): boolean => theirs === null && ours === null;
          const causes = Object.keys(one).filter((condition) => condition !== 'method' && condition !== 'path');
          const hasCause = causes.length > 0 || status !== undefined;
          return !hasCause && Object.values(places ?? {}).some(isAny);
        })
        .map(() => id),
    );
    // A server keeps count of its own comments, and of when somebody has logged in.
    expect(open).toEqual(['comments', 'account-times']);
  });

  it('explain 405 for PATCH of a file, and nothing like it elsewhere', () => {
    const difference = { place: '/status', target: 401, atoll: 405 };
    const file = answered(request('PATCH', '/entity/file/1?_format=json'), reply(401), reply(405));
    const node = answered(request('PATCH', '/node/1?_format=json'), reply(401), reply(405));
    expect(explain(file)(difference)?.question).toBe('`PATCH /entity/file/{id}`');
    expect(explain(node)(difference)).toBeUndefined();
  });

  describe('of a real site that was asked for a guarded file', () => {
    const [path, type] = ['/system/files/song.mp3', 'text/html; charset=UTF-8'];
    const difference = { place: '/status', target: 403, atoll: 200 };
    const asked = (headers: HeaderLine[], contentType = type) =>
      answered(
        request('GET', path, undefined, headers),
        reply(403, undefined, [['Content-Type', contentType]]),
        reply(200),
      );

    it('explain its page for Basic', () => {
      expect(explain(asked([['Authorization', 'Basic YTpi']]))(difference)?.id).toBe('external-content');
    });

    it('do not explain a refusal of a session, of a visitor, or in JSON', () => {
      expect(explain(asked([['Cookie', 'SESSabc=d']]))(difference)).toBeUndefined();
      expect(explain(asked([]))(difference)).toBeUndefined();
      expect(explain(asked([]))({ ...difference, atoll: 401 })?.id).toBe('external-content');
      expect(explain(asked([['Authorization', 'Basic YTpi']], 'application/json'))(difference)).toBeUndefined();
    });
  });

  it('explain an unpublished media in a list, and no published one', () => {
    const two = answered(request('GET', '/node/3/media?_format=json'), reply(200, []), reply(200, []));
    const media = (status: boolean) => ({
      mid: [{ value: 5 }],
      bundle: [{ target_id: 'image' }],
      status: [{ value: status }],
    });
    const row = (status: boolean) => explain(two)({ place: '/body/1', target: media(status), atoll: undefined })?.id;
    expect([row(false), row(true)]).toEqual(['unpublished-media-in-list', undefined]);
  });

  it('explain a range beyond the end without a body, and last bytes beyond those that there are', () => {
    const of = (range: string) =>
      answered(
        request('GET', '/_flysystem/fedora/a.txt', undefined, [['Range', range]]),
        reply(416),
        reply(416, { message: '…' }),
      );
    const row = (range: string, place: string, target: unknown, atoll: unknown) =>
      explain(of(range))({ place, target, atoll })?.id;
    expect(row('bytes=17-27', '/body', undefined, { message: '…' })).toBe('range-beyond-the-end');
    expect(row('bytes=-999999999999', '/status', 416, 200)).toBe('range-beyond-the-end');
    expect(row('bytes=-5', '/status', 416, 206)).toBeUndefined();
    expect(row('bytes=0-3', '/status', 416, 206)).toBeUndefined();
  });

  it('do not explain another body where both answer JSON', () => {
    const two = answered(
      request('GET', '/node/1?_format=json'),
      reply(404, { message: 'a' }),
      reply(404, { message: 'b' }),
    );
    expect(explain(two)({ place: '/body/message', target: 'a', atoll: 'b' })).toBeUndefined();
  });
});
