/** Answers the request of a browser for the address of a record with a page. The pages are no part of the contract. */
import { authenticate } from '../access/authenticate.ts';
import type { AnswerPage } from '../engine/engine-options.ts';
import type { OutgoingReply, PlainRequest } from '../engine/exchange.ts';
import type { Identity } from '../model/principal.ts';
import { notConverted, Problem } from '../problem.ts';
import type { World } from '../world.ts';
import { pageHeaders } from './frame.ts';
import { recordAddress, routeOf, type RecordAddress } from './record-address.ts';
import { recordPage } from './record-page.ts';
import { refusalPage } from './refusal-page.ts';

/** Answers with the record's page, or with a refusal that people can read: 401, 403, 404, 503. Any other error is thrown. */
export const answerPage: AnswerPage = async (request, world) => {
  const address = recordAddress(request.path, world.site);
  if (address === undefined) return undefined;
  if (request.observations !== undefined) request.observations.isPage = true;
  let identity: Identity | undefined;
  try {
    identity = await authenticate(request, world.access);
    if (request.observations !== undefined) request.observations.identity = identity;
    return await shown(address, identity, request, world);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const problem = withLogin(error, identity, world);
    return {
      status: problem.status,
      headers: { ...problem.headers, ...pageHeaders(request.headers) },
      mediaType: 'text/html',
      body: refusalPage(problem, identity, world),
    };
  }
};

const shown = async (
  { type, id }: RecordAddress,
  { principal }: Identity,
  { query, headers }: PlainRequest,
  world: World,
): Promise<OutgoingReply> => {
  const route = routeOf(type);
  const absent = (): Problem => notConverted(route.parameter, route.path, route.name);
  const entity = await world.repository.view(principal, { type, id, absent });
  const { text, links } = await recordPage(entity, { world, viewer: principal }, readPage(query));
  return {
    status: 200,
    headers: { ...pageHeaders(headers), ...(links.length === 0 ? {} : { Link: links }) },
    mediaType: 'text/html',
    body: text,
  };
};

/** The page of the members. What is no number is the first one, as in the address line of a real site. */
const readPage = (query: string): number => {
  const text = new URLSearchParams(query).getAll('page').at(-1) ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
};

/** A browser asks again for a name and a password that were wrong. */
const withLogin = (problem: Problem, identity: Identity | undefined, { site }: World): Problem => {
  const isWrongPassword = identity?.credentials === 'refused' && identity.provider === 'basic_auth';
  if (problem.status !== 403 || !isWrongPassword) return problem;
  return new Problem(401, problem.message, {
    headers: { 'WWW-Authenticate': `Basic realm="${site.name}"` },
    cause: problem,
  });
};
