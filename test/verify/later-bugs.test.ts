/** Bugs that were planted when the checks were there already, in places of which nobody had thought, and the sentence that names each. */
import { expect, it } from '@jest/globals';
import { startMutant } from './mutants/mutant-server.ts';
import {
  basicOf,
  both,
  bug,
  by,
  empty,
  entityOf,
  field,
  file,
  node,
  onReply,
  onRequest,
  reading,
  reads,
  refusal,
  sent,
  type Bug,
  type Plain,
} from './mutants/mutant.ts';
import { findingsIn, verified } from './verified.ts';

const term = /^\/taxonomy\/term\/\d+$/;

/** The record of a file says the size of its first bytes, whatever a later upload to the source of its media was. */
const staleSize = bug(() => {
  const sizes = new Map<string, unknown>();
  return async (request, ask) => {
    const reply = await ask(request);
    if (!reads(file)(request, reply) || reply.body.length === 0) return reply;
    const size = entityOf(reply)['filesize']?.[0]?.['value'];
    if (!sizes.has(request.path)) sizes.set(request.path, size);
    return field('filesize', () => [{ value: sizes.get(request.path) }])(reply);
  };
});

/** Takes what the owner of a node sends to it for that of somebody else. */
const ownersAreStrangers = onReply(
  both(sent('PATCH', node, 200), ({ headers }) => headers['authorization'] === basicOf('owner')),
)(refusal(403, ''));

const termsHaveNoParent = onReply(
  (request, reply) => reads(term)(request, reply) || sent('POST PATCH', /^\/taxonomy\/term/, 200, 201)(request, reply),
)(field('parent', () => [{ target_id: null }]));

const alias = /^\/entity\/path_alias\/\d+$/;

const redirect = /^\/admin\/config\/search\/redirect\/edit\/\d+$/;

/** Says that it has done what is asked of an alias or a redirect, and does nothing. */
const stays = (record: RegExp, method: string, saying: Plain): Bug =>
  bug(() => async (request, ask) => {
    const isMeant = request.method === method && record.test(request.path);
    return isMeant ? saying(await ask(reading(request))) : ask(request);
  });

it.each<[string, Bug, string, string]>([
  ['a term loses the term above it', termsHaveNoParent, 'create.term.*', 'create.term.parent'],
  [
    'a file keeps the size of the bytes that were replaced at the source of its media',
    staleSize,
    'source.*',
    'source.replaces',
  ],
  ['a deleted alias still leads to its node', stays(alias, 'DELETE', empty(204)), 'alias.*', 'alias.sequence'],
  ['a changed alias leads from the old place', stays(alias, 'PATCH', (reply) => reply), 'alias.*', 'alias.sequence'],
  [
    'the editor may change aliases',
    onRequest(({ method, path }) => method === 'PATCH' && alias.test(path))(by('admin')),
    'alias.*',
    'alias.guarded',
  ],
  [
    'a deleted redirect still leads to its node',
    stays(redirect, 'DELETE', empty(204)),
    'redirect.*',
    'redirect.sequence',
  ],
  [
    'a changed redirect leads from the old place',
    stays(redirect, 'PATCH', (reply) => reply),
    'redirect.*',
    'redirect.sequence',
  ],
  [
    'the editor may change redirects',
    onRequest(({ method, path }) => method === 'PATCH' && redirect.test(path))(by('admin')),
    'redirect.*',
    'redirect.guarded',
  ],
  ['the owner of a node may not change it', ownersAreStrangers, 'permission.node.patch.*', 'permission.node.patch.own'],
])('%s: found by a check of that', async (_words, planted, only, name) => {
  const server = await startMutant(planted);
  try {
    const findings = findingsIn(await verified(server.url, { only: [only] }));
    expect(findings.map(({ check }) => check.name)).toContainEqual(expect.stringContaining(name));
  } finally {
    await server.stop();
  }
});
