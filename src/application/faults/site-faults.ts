/** Defines the faults that the real site itself has, where Atoll keeps to a safer answer. */
import { type World, repositoryWorld, targetIds, graphAdditionsOf } from '../../repository/repository.ts';
import { isRead, textReply } from '../../openapi/openapi-host.ts';
import { mediaTypes } from '../../repository/repository-content.ts';
import { withFailingFollowUps, withUnusedFilesOpen } from './altered-world.ts';
import { answerAltered, faultKind, type FaultContext } from '../../server/server-application.ts';
import type { FaultKind } from '../../server/server.ts';
import { entityKey } from '../../openapi/openapi-records.ts';
import { unexpectedErrorMessage } from '../../openapi/openapi-terms.ts';

const unusedFileOpen = faultKind({
  name: 'unused-file-open',
  summary: 'The content of a guarded file is open to everybody once no media uses the file.',
  source: 'the real site: after the last media of a guarded file was deleted, its bytes are 200 without credentials',
  parameters: {},
  operations: ['getExternalContent'],
  isPerRequest: true,
  make: () => answerAltered(({ world }) => ({ world: withUnusedFilesOpen(repositoryWorld(world)) })),
});

const reactionFails = faultKind({
  name: 'reaction-fails',
  summary: 'The write is answered as ever, and what the site does by itself some time after it fails.',
  source: 'the real site: with the broker or a microservice away, writes are answered as ever, and nothing follows',
  parameters: {},
  isPerRequest: true,
  make: () =>
    answerAltered(
      ({ world }) => ({
        world: withFailingFollowUps(repositoryWorld(world), 'The fault reaction-fails was asked for.'),
      }),
      (request) => !isRead(request),
    ),
});

const typeTermDeleted = faultKind({
  name: 'type-term-deleted',
  summary: 'The JSON-LD of a record is 500 once the term that gives it its type was deleted.',
  source: 'the real site: JSON-LD of a node or media is 500 after its model or media use was deleted, JSON is 200',
  parameters: {},
  operations: ['getNode', 'getMedia', 'getMediaByEditPath'],
  isPerRequest: true,
  make: () => async (context, next) => {
    const reply = await next(context.request, context.world);
    const isGraph = reply.status === 200 && reply.headers['Content-Type'] === mediaTypes.jsonld;
    if (!context.isMatch || !isGraph || !(await lacksTypeTerm(context)) || !context.trigger()) return reply;
    return { ...textReply('text/plain; charset=UTF-8', unexpectedErrorMessage), status: 500 };
  },
});

/** Whether the node or media at the request's path refers to a model or media use that is not there. */
const lacksTypeTerm = async ({ request, world }: FaultContext): Promise<boolean> => {
  const [, segment, id] = /^\/(node|media)\/(\d+)(?:\/|$)/.exec(request.path) ?? [];
  if (segment === undefined) return false;
  const [record] = await world.store.getMany([entityKey(segment === 'node' ? 'node' : 'media', Number(id))]);
  const bundle = record && repositoryWorld(world).site.model.bundle(record.type, record.bundle);
  if (record === undefined || bundle === undefined) return false;
  const ids = graphAdditionsOf(bundle).typeFields.flatMap((field) => targetIds(record, field));
  const terms = await world.store.getMany(ids.map((tid) => entityKey('taxonomy_term', tid)));
  return terms.includes(undefined);
};

const staleReads = faultKind({
  name: 'stale-reads',
  summary: 'Reads are answered from the page caches of a real site: as they were, until the record itself is saved.',
  source:
    'the real site (core keeps an answer until the record is saved, not what it refers to); recorded: caches-on.json',
  parameters: {},
  isPerRequest: false,
  make: () => {
    const owner = {};
    return answerAltered(({ world: hosted }) => {
      const world = repositoryWorld(hosted);
      const cached: World = { ...world, caches: world.cachesOf(owner) };
      return { world: cached };
    }, isRead);
  },
});

/** The faults of this file, in the order of the catalogue. */
export const siteFaults: readonly FaultKind[] = [unusedFileOpen, typeTermDeleted, reactionFails, staleReads];
