/** Answers the request of a browser for the address of a record with a page: of the record, or of the refusal. The pages are not part of the contract. */
import { authenticate } from '../access/access.ts';
import { readFrom, type Records } from '../model/reading.ts';
import { viewed } from '../content/views.ts';
import type { AnswerPage } from '../engine/engine-options.ts';
import type { PlainRequest } from '../../openapi/openapi-host.ts';
import type { OutgoingReply } from '../engine/exchange.ts';
import { basicChallenge } from '../engine/refusal.ts';
import type { Identity } from '../model/principal.ts';
import type { World } from '../world.ts';
import { consolePath, pageHeaders, pageText } from './frame.ts';
import { markup, type Markup } from '../markup/page-markup.ts';
import { recordAddress, type RecordAddress, routeOf } from '../markup/record-address.ts';
import { recordPage } from './record-page.ts';
import { notConverted, Problem } from '../../openapi/openapi-terms.ts';

/** Answers with the record's page, or with a refusal that people can read: 401, 403, 404, 503. Any other error is thrown. */
export const answerPage: AnswerPage = async (request, world) => {
  const address = recordAddress(request.path, world.site);
  if (address === undefined) return undefined;
  if (request.observations !== undefined) request.observations.isPage = true;
  let identity: Identity | undefined;
  try {
    const caller = await authenticate(request, world.access);
    identity = caller;
    if (request.observations !== undefined) request.observations.identity = identity;
    return await readFrom(world.store, (records) => shown(address, caller, request, { world, records }));
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

const shown = (
  { type, id }: RecordAddress,
  { principal }: Identity,
  { query, headers }: PlainRequest,
  { world, records }: { readonly world: World; readonly records: Records },
): OutgoingReply => {
  const route = routeOf(type);
  const absent = (): Problem => notConverted(route.parameter, route.path, route.name);
  const entity = viewed({ type, id, absent }, { principal, records, site: world.site });
  const { text, links } = recordPage(entity, { world, viewer: principal, records }, readPage(query));
  return {
    status: 200,
    headers: { ...pageHeaders(headers), ...(links.length === 0 ? {} : { Link: links }) },
    mediaType: 'text/html',
    body: text,
  };
};

/** The page of the members. Anything but a number is the first one, as in the address line of a real site. */
const readPage = (query: string): number => {
  const text = new URLSearchParams(query).getAll('page').at(-1) ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
};

/** A browser asks again for a name and a password that were wrong. */
const withLogin = (problem: Problem, identity: Identity | undefined, { site }: World): Problem => {
  const isWrongPassword = identity?.credentials === 'refused' && identity.provider === 'basic_auth';
  if (problem.status !== 403 || !isWrongPassword) return problem;
  return new Problem(401, problem.message, {
    headers: basicChallenge(site.name),
    cause: problem,
  });
};

/** The title and the sentence of a status. Those of 403 and 404 are worded as the platform words them. */
const words: Readonly<Record<number, readonly [title: string, sentence: string]>> = {
  401: ['Log in', 'You are not authorized to access this page.'],
  403: ['Access denied', 'You are not authorized to access this page.'],
  404: ['Page not found', 'The requested page could not be found.'],
};

/** `identity` is undefined when the request was refused before it was authenticated. */
const refusalPage = (problem: Problem, identity: Identity | undefined, world: World): string => {
  const [title, sentence] = words[problem.status] ?? ['Not possible now', 'The page cannot be shown.'];
  const main = markup`<h1>${title}</h1>
<p>${sentence}</p>
${problem.message === '' || problem.message === sentence ? undefined : markup`<p>The interface says: <q>${problem.message}</q></p> `}${adviceOf(problem, identity, world)}`;
  return pageText({ title, main, viewer: identity?.principal }, world);
};

const adviceOf = ({ status }: Problem, identity: Identity | undefined, world: World): Markup | undefined => {
  const toConsole = markup`<a href="${consolePath(world)}">Log in or act as an account in the console.</a>`;
  if (status === 401)
    return markup`<p>
The name and password that your browser sent belong to no account. Reload the page and give others. ${toConsole}
</p>
`;
  if (status !== 403) return undefined;
  return identity?.principal.uid === 0
    ? markup`<p>You are not logged in. ${toConsole}</p> `
    : markup`<p>This account may not see it. ${toConsole}</p> `;
};
