/**
 * A whole Atoll for tests whose engine runs in a service worker in headless Chromium. The listener and the writing of HTTP are
 * the server's. Behind them each plain request goes to the worker by a message, and the plain reply comes back: a page's own
 * `fetch` could not send `Cookie`, `Host` or `Origin`.
 */
import { createPrivateKey } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { streamOf } from '../../../src/basics/byte-streams.ts';
import type { PlainReply, PlainRequest } from '../../../src/openapi/openapi-host.ts';
import { mountAnswer, type Answer } from '../../../src/server/server-start.ts';
import { entityTypes, type Site } from '../../../src/repository/repository.ts';
import { documentOfSite } from '../../../src/application/application-disk.ts';
import { resolveReferences } from '../../../src/openapi/openapi-parts.ts';
import type { Opening, SentPiece, SentReply, Told } from './protocol.ts';
import type { TestOptions } from '../atoll.ts';
import type { OpenAtollInWorker } from './open-in-worker.ts';
import { createReplyCheck, type ReplyCheck } from './reply-check.ts';
import { NotInReach, remoteWorld, remoteWorlds, type RemoteOptions } from './remote-world.ts';
import { siteModule } from '../../prepared-site/site-module.ts';
import { openWorkerPage, type Ask } from './worker-page.ts';

export const openAtollInWorker: OpenAtollInWorker = async (options) => {
  const { site, loaded, sources, baseUrl } = options;
  const { app = {}, open = {} } = options.options;
  refuseUnknown(options.options);
  const document = await documentOfSite({ site, ...sources, ...(app.document && { document: app.document }) }, baseUrl);
  const module = await siteModule({ ...options, document });
  const replies = createReplyCheck([document.resolved, resolveReferences(sources.controlDocument)]);
  const heard = (told: Told): void => {
    replies.hear(told.events);
    for (const event of told.events) options.onEvent(event);
  };
  const ask = await openWorkerPage({ siteModule: module.text, now: options.now, heard });
  const { cookieName } = await ask('open', {
    ...{ baseUrl, fixture: module.fixture, caches: open.caches, advice: app.advice, pages: app.pages },
    ...changesOf(loaded, site),
    privateKey: createPrivateKey(options.signingKey).export({ format: 'jwk' }),
  });
  const remote: RemoteOptions = { ask, site, baseUrl, cookieName };
  return {
    app: mountAnswer(createAnswer(ask, replies), { site, cors: 'loopback', onError: () => undefined, ...app }),
    world: () => remoteWorld(remote),
    worlds: remoteWorlds(remote),
    reset: () => ask('reset'),
  };
};

/** What can be told to the worker, or is done on this side of it. */
const known: ReadonlySet<string> = new Set([
  ...['document', 'advice', 'pages', 'cors', 'controlOrigins', 'onError', 'caches'],
]);

/** Functions cannot be sent, and the worker has no disk. */
const refuseUnknown = ({ app = {}, open = {}, around }: TestOptions): void => {
  const names = [...Object.keys(app), ...Object.keys(open), ...(around === undefined ? [] : ['around'])];
  const others = names.filter((name) => !known.has(name));
  if (others.length > 0) throw new NotInReach(`A repository in the service worker takes no ${others.join(', ')}.`);
};

/** The members of the site that are other ones. The functions of a model are made anew from its bundles. */
const changesOf = (loaded: Site, site: Site): Pick<Opening, 'siteChanges' | 'bundles'> => {
  const before: Readonly<Record<string, unknown>> = loaded;
  const changes = Object.entries(site).filter(([name, value]) => name !== 'model' && before[name] !== value);
  const bundles = entityTypes.flatMap((type) => site.model.bundles(type));
  return { siteChanges: Object.fromEntries(changes), bundles: site.model === loaded.model ? undefined : bundles };
};

const createAnswer = (ask: Ask, replies: ReplyCheck): Answer => {
  let last = 0;
  const connections = new WeakMap<object, number>();
  const connectionOf = ({ connection }: PlainRequest): number | undefined => {
    if (connection === undefined) return undefined;
    const id = connections.get(connection) ?? (last += 1);
    connections.set(connection, id);
    return id;
  };
  return async (request) => {
    const id = (last += 1);
    const { method, path, query, headers, address } = request;
    let step = await ask('answer', id, { method, path, query, headers, address, connection: connectionOf(request) });
    let pieces: AsyncIterator<Uint8Array> | undefined;
    let isOpen = false;
    while ('wantsBody' in step) {
      // Only now is a client told to send its body, if it waits for that.
      pieces ??= request.body[Symbol.asyncIterator]();
      const piece = await nextPiece(pieces);
      isOpen = typeof piece === 'object' && 'bytes' in piece;
      step = await ask('body', id, piece);
    }
    // The engine has left the rest of the body alone.
    if (isOpen) await pieces?.return?.();
    noteAnswer();
    return replies.check(request, plainReply(ask, id, step.reply));
  };
};

/** `report.mjs` counts the bytes of all processes. */
const noteAnswer = (): void => {
  mkdirSync(answeredFolder, { recursive: true });
  appendFileSync(join(answeredFolder, String(process.pid)), '.');
};
const answeredFolder = join(import.meta.dirname, '../../../coverage/in-service-worker/answered');

const nextPiece = async (pieces: AsyncIterator<Uint8Array>): Promise<SentPiece> => {
  try {
    const next = await pieces.next();
    return next.done === true ? 'end' : { bytes: next.value };
  } catch (error) {
    return { error };
  }
};

const plainReply = (ask: Ask, id: number, { body, ...reply }: SentReply): PlainReply => {
  if (typeof body !== 'object') return { ...reply, body };
  const leave = (): void => void ask('leave', id).catch(() => undefined);
  const stream = streamOf({
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        const piece = await ask('bytes', id);
        if (piece !== undefined) return { done: false, value: piece };
        leave();
        return { done: true, value: undefined };
      },
      // Whoever reads it may go before its end.
      return: async () => {
        leave();
        return { done: true, value: undefined };
      },
    }),
  });
  return { ...reply, body: { stream, length: body.length } };
};
