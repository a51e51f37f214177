/** Defines the faults of this service or of a proxy before it. `transport-faults.ts` defines those of any network. */
import { hash } from 'node:crypto';
import LinkHeader from 'http-link-header';
import { tokenIn } from '../../repository/repository-engine.ts';
import {
  principalOf,
  roleOf,
  rolesOf,
  type Identity,
  entityTypes,
  targetIds,
  addressPath,
  repositoryWorld,
  type World,
} from '../../repository/repository.ts';
import { type PlainReply, textReply } from '../../openapi/openapi-host.ts';
import { withIdentity, withoutBytes, withoutRecords } from './altered-world.ts';
import { answerAltered, answerInstead, faultKind, resetReply } from '../../server/server-application.ts';
import type { FaultKind } from '../../server/server.ts';
import { entityKey, items, type EntityKey } from '../../openapi/openapi-records.ts';

/** The parameter `requests` of the faults that let some requests pass first. */
const requestsBefore = (summary: string) =>
  ({ type: 'number', summary, minimum: 0, maximum: 1_000_000, default: 1 }) as const;

const tokenExpires = faultKind({
  name: 'token-expires',
  summary: 'A token is good for so many requests and has expired then; a new one is good again.',
  source:
    'contract (it does not show the lifetime of a token); the real site refuses an expired token with 403, not 401',
  parameters: { requests: requestsBefore('So many requests with a token are answered before it has expired.') },
  isPerRequest: true,
  perRequest: { requests: 0 },
  make:
    ({ requests }, { memory }) =>
    async (context, next) => {
      const { request, world, operation } = context;
      const token = tokenIn(request.headers, repositoryWorld(world).site.tokensOfToday);
      if (token === undefined || !context.isMatch) {
        const reply = await next(request, world);
        // Two tokens of the same second are the same text. The new token must count from 0 again.
        if (operation?.id === 'getToken' || operation?.id === 'postToken') memory.forget(digest(issuedToken(reply)));
        return reply;
      }
      const before = memory.count(digest(token));
      if (before < requests || !context.trigger()) return next(request, world);
      // Any invalid token is refused in the same way as an expired one.
      return next({ ...request, headers: { ...request.headers, authorization: 'Bearer expired' } }, world);
    },
});

/** The memory of faults may be kept in a database, where nobody shall find tokens. */
const digest = (token: string): string => hash('sha256', token, 'base64url');

const issuedToken = ({ status, headers, body }: PlainReply): string => {
  // Another fault may have replaced the token by a page.
  if (status !== 200 || typeof body !== 'string' || headers['Content-Type'] !== 'application/json') return '';
  const { token } = JSON.parse(body) as { token?: unknown }; // the documented answer of both
  return typeof token === 'string' ? token : '';
};

const roleRemoved = faultKind({
  name: 'role-removed',
  summary:
    'An account has lost its roles after so many requests, in the middle of its session and with the token it has.',
  source: 'contract (403: the permission is missing); on the real site the stored roles count, not those of the token',
  parameters: {
    requests: requestsBefore('So many requests of an account are answered before its roles have gone.'),
    role: { type: 'text', summary: 'Only this role goes; all of them when left out.' },
  },
  isPerRequest: true,
  perRequest: { requests: 0 },
  make:
    ({ requests, role }, { memory }) =>
    async (context, next) => {
      const { request, world, isMatch } = context;
      if (!isMatch) return next(request, world);
      const withFewerRoles = async (identity: Identity): Promise<Identity> => {
        const { principal, credentials } = identity;
        if (credentials !== 'accepted') return identity;
        if (memory.count(String(principal.uid)) < requests || !context.trigger()) return identity;
        return withoutRoles(identity, role, repositoryWorld(world));
      };
      return next(request, withIdentity(repositoryWorld(world), withFewerRoles));
    },
});

/** Has no effect for uid 1, which may do everything whatever its roles. */
const withoutRoles = async (identity: Identity, role: string | undefined, world: World): Promise<Identity> => {
  const [account] = await world.store.getMany([entityKey('user', identity.principal.uid)]);
  if (account === undefined) return identity;
  const kept = rolesOf(account).filter((name) => role !== undefined && name !== role);
  const roles = items(account, 'roles').filter((item) => kept.includes(roleOf(item) ?? ''));
  return {
    ...identity,
    principal: principalOf({ ...account, fields: { ...account.fields, roles } }, world.site.roles),
  };
};

const uploadAnswerLost = faultKind({
  name: 'upload-answer-lost',
  summary:
    'The upload is stored, but the connection ends before the answer: anyone who repeats it replaces the stored bytes.',
  source: 'transport; contract (the same PUT again replaces the content)',
  parameters: {},
  operations: ['putNodeMedia', 'putMediaSource', 'uploadFile'],
  isPerRequest: true,
  make: () => async (context, next) => {
    const reply = await next(context.request, context.world);
    const isStored = reply.status === 200 || reply.status === 201 || reply.status === 204;
    return isStored && context.trigger() ? resetReply : reply;
  },
});

const mediaFileGone = faultKind({
  name: 'media-file-gone',
  summary: 'A media is there, its file is not: its reference dangles, and the address of the content is a 404.',
  source:
    'the real site (deleting a file that a media uses is 204, nothing cascades); recorded: observed-deletes-dangling-unpublished.json',
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
  make: ({ media, gone }) =>
    answerAltered(async ({ world: hosted }) => {
      const world = repositoryWorld(hosted);
      const files = media === undefined ? undefined : await sourceFiles(world, media);
      if (gone === 'file') {
        return { world: withoutRecords(world, (key) => files?.has(key) ?? key.startsWith('file:')) };
      }
      const names = files && (await blobNames(world, files));
      return { world: withoutBytes(world, (name) => names?.has(name) ?? true) };
    }),
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
  source: 'contract (GET of a deleted record is 404, and records link to each other)',
  parameters: {
    relation: { type: 'text', summary: 'The relation of the link whose target goes.', default: 'related' },
    title: { type: 'text', summary: 'Its title; the first link of the relation when left out.' },
  },
  count: 1,
  isPerRequest: false,
  make:
    ({ relation, title }, { memory }) =>
    async (context, next) => {
      const { request } = context;
      const world = repositoryWorld(context.world);
      const isDeleted = (key: EntityKey): boolean => memory.has(key);
      if (!memory.isEmpty()) context.takeAnswer();
      const reply = await next(request, memory.isEmpty() ? world : withoutRecords(world, isDeleted));
      if (!context.isMatch || reply.status !== 200) return reply;
      const target = targetsOf(reply, { relation, title }, world).find((key) => !isDeleted(key));
      if (target !== undefined && context.trigger()) memory.count(target);
      return reply;
    },
});

/** The records of this world that the reply links to with this relation and title. */
const targetsOf = (
  { headers }: PlainReply,
  { relation, title }: { readonly relation: string; readonly title: string | undefined },
  world: World,
): EntityKey[] => {
  const lines = headers['Link'] ?? [];
  const links = LinkHeader.parse(typeof lines === 'string' ? lines : lines.join(', ')).rel(relation);
  return links.flatMap(({ uri, title: linkTitle }) => {
    if (title !== undefined && linkTitle !== title) return [];
    if (!uri.startsWith(`${world.baseUrl}/`)) return [];
    const path = uri.slice(world.baseUrl.length).replace(/\?.*$|\/source$/, '');
    const id = Number(/\/(\d+)(?:\/edit)?$/.exec(path)?.[1]);
    return entityTypes.flatMap((type) => (addressPath(world.site, type, id) === path ? [entityKey(type, id)] : []));
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
  make: ({ status }) => answerInstead({ ...textReply('text/html; charset=UTF-8', maintenanceHtml), status }),
});

const maintenanceHtml = `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Site under maintenance</title></head>
<body><h1>Site under maintenance</h1><p>We should be back shortly. Thank you for your patience.</p></body>
</html>
`;

/** The faults of this file, in the order of the catalogue. */
export const serviceFaults: readonly FaultKind[] = [
  tokenExpires,
  roleRemoved,
  uploadAnswerLost,
  mediaFileGone,
  linkTargetDeleted,
  maintenancePage,
];
