/** The faults that this service has, or what stands before it. Those of any network are `fault-transport.ts`. */
import LinkHeader from 'http-link-header';
import { principalOf, rolesOf } from '../access/permissions.ts';
import type { Identity } from '../model/principal.ts';
import { createBoundedMap } from '../access/bounded-map.ts';
import { entityKey, entityTypes, canonicalPath, items, targetIds, type EntityKey } from '../model/entity.ts';
import type { PlainReply, PlainRequest } from '../engine/exchange.ts';
import { textReply } from '../engine/text-reply.ts';
import { unexpectedErrorMessage } from '../problem.ts';
import type { World } from '../world.ts';
import { withIdentity, withoutBytes, withoutRecords } from '../worlds/altered-world.ts';
import { faultKind, type FaultKind } from './fault.ts';
import { resetReply } from './transport-faults.ts';

/** Tokens and accounts that are counted at a time. */
const remembered = 1000;

/** `requests`, as the faults that let some pass first have it. */
const requestsBefore = (summary: string) =>
  ({ type: 'number', summary, minimum: 0, maximum: 1_000_000, default: 1 }) as const;

const tokenExpires = faultKind({
  name: 'token-expires',
  summary: 'A token is good for so many requests and has expired then; one that is issued anew is good again.',
  source: 'contract: Authentication 3 (token lifetime: not shown); reference 5.3; decisions: "401 or 403"',
  parameters: { requests: requestsBefore('So many requests with a token are answered before it has expired.') },
  isPerRequest: true,
  perRequest: { requests: 0 },
  make: ({ requests }) => {
    const used = createBoundedMap<string, number>(remembered);
    return async (struck, next) => {
      const { request, world, operation } = struck;
      const token = bearerOf(request);
      if (token === undefined || !struck.isMeant) {
        const reply = await next(request, world);
        // A token of the same second is the same token: it has been issued anew all the same.
        if (operation?.id === 'getToken') used.delete(issuedToken(reply));
        return reply;
      }
      const before = used.get(token) ?? 0;
      used.set(token, before + 1);
      if (before < requests || !struck.strikes()) return next(request, world);
      // Whatever is no token of ours is refused as an expired one is.
      return next({ ...request, headers: { ...request.headers, authorization: 'Bearer expired' } }, world);
    };
  },
});

const bearerOf = ({ headers }: PlainRequest): string | undefined =>
  /^bearer +(.+)$/i.exec(headers['authorization'] ?? '')?.[1];

const issuedToken = ({ status, headers, body }: PlainReply): string => {
  // Another fault may have put a page in the place of the token.
  if (status !== 200 || typeof body !== 'string' || headers['Content-Type'] !== 'application/json') return '';
  const { token } = JSON.parse(body) as { token?: unknown }; // the answer of `getToken`, held to the document
  return typeof token === 'string' ? token : '';
};

const roleRemoved = faultKind({
  name: 'role-removed',
  summary:
    'An account has lost its roles after so many requests, in the middle of its session and with the token it has.',
  source:
    'contract: Errors (403: the permission is missing); reference 5.3 (stored roles count, not those of the token)',
  parameters: {
    requests: requestsBefore('So many requests of an account are answered before its roles have gone.'),
    role: { type: 'text', summary: 'Only this role goes; all of them when left out.' },
  },
  isPerRequest: true,
  perRequest: { requests: 0 },
  make: ({ requests, role }) => {
    const seen = createBoundedMap<number, number>(remembered);
    return async (struck, next) => {
      const { request, world, isMeant } = struck;
      if (!isMeant) return next(request, world);
      const demoted = async (identity: Identity): Promise<Identity> => {
        const { principal, credentials } = identity;
        if (credentials !== 'accepted') return identity;
        const before = seen.get(principal.uid) ?? 0;
        seen.set(principal.uid, before + 1);
        if (before < requests || !struck.strikes()) return identity;
        return withoutRoles(identity, role, world);
      };
      return next(request, withIdentity(world, demoted));
    };
  },
});

/** uid 1 may do everything, whatever its roles (reference 5.5). */
const withoutRoles = async (identity: Identity, role: string | undefined, world: World): Promise<Identity> => {
  const [account] = await world.store.getMany([entityKey('user', identity.principal.uid)]);
  if (account === undefined) return identity;
  const kept = rolesOf(account).filter((name) => role !== undefined && name !== role);
  const roles = items(account, 'roles').filter(({ value }) => typeof value === 'string' && kept.includes(value));
  return {
    ...identity,
    principal: principalOf({ ...account, fields: { ...account.fields, roles } }, world.site.roles),
  };
};

const uploadAnswerLost = faultKind({
  name: 'upload-answer-lost',
  summary:
    'The upload is stored, but the connection ends before the answer: whoever repeats it replaces what is there.',
  source: 'transport; contract: Endpoints, rule 2 (the same PUT again replaces the content)',
  parameters: {},
  operations: ['putNodeMedia', 'putMediaSource', 'uploadFile'],
  isPerRequest: true,
  make: () => async (struck, next) => {
    const reply = await next(struck.request, struck.world);
    const isStored = reply.status === 200 || reply.status === 201 || reply.status === 204;
    return isStored && struck.strikes() ? resetReply : reply;
  },
});

const mediaFileGone = faultKind({
  name: 'media-file-gone',
  summary: 'A media is there, its file is not: its reference dangles, and the address of the content is a 404.',
  source:
    'reference 2.5 (deleting a file that a media uses is 204, nothing cascades); recording: observed-deletes-dangling-unpublished',
  parameters: {
    media: { type: 'number', summary: 'The id of the media; every media when left out.', minimum: 1, maximum: 1e15 },
    gone: {
      type: 'text',
      summary: 'What is gone: the record of the file with its bytes, or the bytes alone.',
      choices: ['file', 'bytes'],
      default: 'file',
    },
  },
  isPerRequest: true,
  make:
    ({ media, gone }) =>
    async (struck, next) => {
      const { request, world } = struck;
      if (!struck.strikes()) return next(request, world);
      const files = media === undefined ? undefined : await sourceFiles(world, media);
      if (gone === 'bytes') {
        const names = files === undefined ? undefined : await blobNames(world, files);
        return next(
          request,
          withoutBytes(world, (name) => names?.has(name) ?? true),
        );
      }
      return next(
        request,
        withoutRecords(world, (key) => files?.has(key) ?? key.startsWith('file:')),
      );
    },
});

const blobNames = async (world: World, files: ReadonlySet<EntityKey>): Promise<ReadonlySet<string>> =>
  new Set((await world.store.getMany([...files])).flatMap((file) => file?.blob?.key ?? []));

const sourceFiles = async (world: World, id: number): Promise<ReadonlySet<EntityKey>> => {
  const [media] = await world.store.getMany([entityKey('media', id)]);
  const source = media === undefined ? undefined : world.site.model.bundle('media', media.bundle)?.source;
  if (media === undefined || source === undefined) return new Set();
  return new Set(targetIds(media, source.field).map((fid) => entityKey('file', fid)));
};

const linkTargetDeleted = faultKind({
  name: 'link-target-deleted',
  summary: 'What a Link header of an answer points to is deleted before the client follows it.',
  source: 'contract: States and transitions (deleted, GET: 404) and Signposting',
  parameters: {
    relation: { type: 'text', summary: 'The relation of the link whose target goes.', default: 'related' },
    title: { type: 'text', summary: 'Its title; the first link of the relation when left out.' },
  },
  count: 1,
  isPerRequest: false,
  make: ({ relation, title }) => {
    const deleted = new Set<EntityKey>();
    return async (struck, next) => {
      const { request, world } = struck;
      const shown = deleted.size === 0 ? world : withoutRecords(world, (key) => deleted.has(key));
      const reply = await next(request, shown);
      if (!struck.isMeant || reply.status !== 200) return reply;
      const target = targetsOf(reply, { relation, title }, world).find((key) => !deleted.has(key));
      if (target !== undefined && struck.strikes()) deleted.add(target);
      return reply;
    };
  },
});

/** The records of this world that such links of the reply lead to. */
const targetsOf = (
  { headers }: PlainReply,
  { relation, title }: { readonly relation: string; readonly title: string | undefined },
  world: World,
): EntityKey[] => {
  const lines = headers['Link'] ?? [];
  const links = LinkHeader.parse(typeof lines === 'string' ? lines : lines.join(', ')).rel(relation);
  return links.flatMap(({ uri, title: own }) => {
    if (title !== undefined && own !== title) return [];
    if (!uri.startsWith(`${world.baseUrl}/`)) return [];
    const path = uri.slice(world.baseUrl.length).replace(/\?.*$|\/source$/, '');
    const id = Number(/\/(\d+)$/.exec(path)?.[1]);
    return entityTypes.flatMap((type) => (canonicalPath(type, id) === path ? [entityKey(type, id)] : []));
  });
};

const maintenancePage = faultKind({
  name: 'maintenance-page',
  summary: 'An HTML page that says that the site is under maintenance, where JSON was asked for.',
  source:
    'transport: what a proxy before the site answers while it is being updated; with 200 from one that is set up badly',
  parameters: {
    status: { type: 'number', summary: '503, or 200.', minimum: 200, maximum: 503, default: 503 },
  },
  isPerRequest: true,
  make:
    ({ status }) =>
    async (struck, next) =>
      struck.strikes()
        ? pageReply(status, 'text/html; charset=UTF-8', maintenanceHtml)
        : next(struck.request, struck.world),
});

const maintenanceHtml = `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Site under maintenance</title></head>
<body><h1>Site under maintenance</h1><p>We should be back shortly. Thank you for your patience.</p></body>
</html>
`;

const unexpectedError = faultKind({
  name: 'unexpected-error',
  summary: '500 with one sentence of plain text, where JSON was asked for; the request has not been carried out.',
  source: 'reference 1.1 (uncaught exceptions, storage errors)',
  parameters: {},
  isPerRequest: true,
  make: () => async (struck, next) =>
    struck.strikes()
      ? pageReply(500, 'text/plain; charset=UTF-8', unexpectedErrorMessage)
      : next(struck.request, struck.world),
});

const pageReply = (status: number, mediaType: string, body: string): PlainReply => ({
  ...textReply(mediaType, body),
  status,
});

/** In the order of the catalogue. */
export const serviceFaults: readonly FaultKind[] = [
  tokenExpires,
  roleRemoved,
  uploadAnswerLost,
  mediaFileGone,
  linkTargetDeleted,
  maintenancePage,
  unexpectedError,
];
