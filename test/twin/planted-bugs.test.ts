/**
 * The twin sees the planted bugs that `atoll verify` is held to, by each bug's own requests and without a word of what is right.
 * No rule explains one: a rule has the cause of a difference in its condition, and a bug has no such cause.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startReference } from '../reference/started-reference.ts';
import { createTwinSession } from '../../src/checks/twin/session.ts';
import type { TwinReport } from '../../src/checks/checks-proxy.ts';
import { createSender, decodedMessage, type Sender } from '../../src/exchange/exchange-target.ts';
import { headerValues } from '../../src/exchange/exchange.ts';
import { preparedFile, root } from '../support/atoll.ts';
import { mutants } from '../verify/mutants/all-mutants.ts';
import { basicOf, body, newNode, type Mutant, type Send, type Witness } from '../verify/mutants/mutant.ts';
import { startSwitchable, type Switchable } from '../verify/mutants/mutant-server.ts';

let target: Switchable;
let own: Awaited<ReturnType<typeof startReference>>;
let toTarget: Sender;

beforeAll(async () => {
  target = await startSwitchable();
  own = await startReference(
    { root, prepared: await preparedFile(), warn: () => undefined },
    { keptBytes: 1024 * 1024 },
  );
  toTarget = createSender({ baseUrl: target.url });
});
afterAll(async () => {
  toTarget.close();
  await own.stop();
  await target.stop();
});

/** What the twin finds while these requests are sent. Both servers begin afresh. */
const found = async (bug: Mutant, witness: Witness): Promise<TwinReport> => {
  await target.become(bug);
  await own.started.worlds.reset('main');
  const session = createTwinSession({
    ...{ own, first: 'target', second: own.sender, targetUrls: [target.url] },
    ...{ acceptances: [], shownTarget: target.url },
  });
  const send: Send = async (method, path, { as, headers = {}, json, body: bytes } = {}) => {
    const content = json === undefined ? bytes : JSON.stringify(json);
    const exchange = await toTarget.send({
      ...{ method, path },
      headers: [
        ...(as === undefined ? [] : [['Authorization', basicOf(as)] as const]),
        ...(json === undefined ? [] : [['Content-Type', 'application/json'] as const]),
        ...Object.entries(headers),
      ],
      body: content === undefined ? undefined : Buffer.from(content),
    });
    const sent = exchange.request.body;
    session.judge(
      await session.follower.follow(exchange, sent.bytes === 0 ? undefined : { content: sent.kept, bytes: sent.bytes }),
    );
    const { status } = exchange.reply;
    const { headers: lines, body: answer } = decodedMessage(exchange.reply);
    const names = lines.map(([name]) => name.toLowerCase());
    return {
      status,
      headers: Object.fromEntries(names.map((name) => [name, headerValues(lines, name)])),
      body: Buffer.from(answer.kept),
    };
  };
  await witness(send);
  return session.report();
};

/** Every bug in the suites `verify` and `verify-short`, every fifth in `npm test`. */
const bugs = process.env['SUITE'] === undefined ? mutants.filter((_, at) => at % 5 === 0) : mutants;

const ownCredentials =
  'a server that takes wrong credentials is right about them: the twin sends those that Atoll has for the account';

/** What the twin cannot see, and why. */
const unseen: Readonly<Record<string, string>> = {
  'any-password-will-do': ownCredentials,
  'tokens-without-signature-are-taken': ownCredentials,
  'altered-tokens-are-taken': ownCredentials,
  'expired-tokens-are-taken': ownCredentials,
  'patch-keeps-the-time-of-change':
    'each server has a clock of its own, and times that nobody has sent are not compared',
};

const content = '/_flysystem/fedora/2019-03/fleet-at-anchor.png';

/** What makes a bug visible that its own requests do not show: one id of a server that has ids of its own tells nothing. */
const furtherRequests: Readonly<Record<string, Witness>> = {
  'reference-uuid-of-another': (send) => send('GET', '/taxonomy/term/24?_format=json'),
  'uuid-changes-with-each-read': (send) => send('GET', '/node/5?_format=json'),
  'created-nodes-share-a-uuid': (send) => send('POST', '/node?_format=json', { as: 'editor', json: newNode }),
  'etag-is-always-the-same': (send) => send('GET', content, { as: 'editor', headers: { 'if-none-match': '"1"' } }),
};

/** A real site does the same on purpose, which is all that an answer shows. The id is of data/differences.yml. */
const likeRealSite: Readonly<Record<string, readonly string[]>> = {
  'media-are-linked-for-anonymous': ['Links to media that the requester may not view'],
  // One place of many, which real sites leave out as well.
  'empty-fields-are-left-out': ['The revision log'],
  'format-follows-accept': ['The revision log'],
};

describe('A planted bug of the target', () => {
  it.each(bugs.map((bug) => [bug.name, bug] as const))(
    '%s is new, and nothing of it is explained',
    async (name, bug) => {
      const { counts, findings } = await found(bug, async (send) => {
        await bug.witness(send);
        await furtherRequests[name]?.(send);
      });
      const explained = findings
        .filter((one) => one.class === 'explained')
        .map(({ because }) => because.replace(/.*?: /, ''));
      expect(explained).toEqual(likeRealSite[name] ?? []);
      const isUnseen = Object.hasOwn(unseen, name) || name === 'media-are-linked-for-anonymous';
      expect(counts.new > 0).toBe(!isUnseen);
    },
  );

  it('is one of the table', () => {
    const names = [unseen, furtherRequests, likeRealSite].flatMap((one) => Object.keys(one));
    expect(names.filter((name) => !mutants.some((bug) => bug.name === name))).toEqual([]);
  });
});

const publicFile = /^\/sites\/default\/files\/./;

/** Puts other bytes in place of a public file, and takes a node out of its collection, behind the twin's back. */
const changedBehind: Mutant = {
  name: 'changed-behind',
  topic: 'records',
  rule: 'A record and a file are what was written last.',
  alter: () => async (request, ask) => {
    const reply = await ask(request);
    if (reply.status !== 200) return reply;
    if (publicFile.test(request.path)) return body('other bytes')(reply);
    if (request.path !== '/node/5') return reply;
    return body(reply.body.toString().replace(/"http:\/\/pcdm.org\/models#memberOf":\[[^\]]*\],?/, ''))(reply);
  },
  witness: async (send) => {
    await send('GET', '/node/5?_format=jsonld');
    await send('GET', '/sites/default/files/2019-03/5-Service%20File.jpg');
  },
};

describe('A file and a node that somebody has changed behind the twin', () => {
  it('are two new differences', async () => {
    const { counts, findings } = await found(changedBehind, changedBehind.witness);
    expect(counts).toMatchObject({ requests: 2, explained: 0, new: 2 });
    expect(findings.map(({ operation, place }) => `${operation} ${place}`).sort()).toEqual([
      'getNode /body/@graph/*/http:~1~1pcdm.org~1models#memberOf',
      'getPublicContent /body',
    ]);
  });
});
