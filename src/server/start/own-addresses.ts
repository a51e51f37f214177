/** Answers the addresses that are the server's own and no operation's: documents, icon, front page, guides. */
import { xmlElement } from '../../basics/formats/xml.ts';
import { methods } from '../../openapi/openapi-terms.ts';
import {
  type HostedEngine,
  isRead,
  type PlainReply,
  type PlainRequest,
  messageReply,
  textReply,
  type HostedWorld,
} from '../../openapi/openapi-host.ts';
import { consoleAddress, leadTo } from '../control/console-page.ts';
import { type ControlAccess, pageRefusal } from '../control/control-access.ts';
import type { Guides } from '../guides/guides.ts';
import type { DocumentTexts } from '../sources/document-texts.ts';

type OwnAddresses = Pick<HostedEngine, 'operationOf'> & {
  readonly texts: DocumentTexts;
  readonly access: ControlAccess;
  /** Undefined where there are none. */
  readonly guides: Guides | undefined;
};

/** Undefined for a request that goes on: to the control interface, or to the repository. */
export const ownReply = (
  request: PlainRequest,
  world: HostedWorld,
  { texts, access, guides, ...engine }: OwnAddresses,
): Promise<PlainReply> | PlainReply | undefined => {
  if (!isRead(request) || isDocumented(request, engine)) return undefined;
  // The icon that browsers ask for by themselves is answered before anything is counted or remembered.
  if (request.path === '/favicon.ico') return faviconReply;
  return (
    texts(request.path, world.baseUrl) ??
    frontPageReply(request, world, access, engine) ??
    guideReply(request, world, guides, engine)
  );
};

/** Whether a document has this very address, which is the document's then. A template such as `/{id}` takes none of the server's. */
const isDocumented = (request: PlainRequest, { operationOf }: Pick<HostedEngine, 'operationOf'>): boolean =>
  /^\/(openapi|favicon\.ico$)/.test(request.path) && operationOf(request)?.path === request.path;

/** A ring with a gap, as an atoll has it. */
const ring = { cx: '16', cy: '16', r: '11', fill: 'none', stroke: '#0a7e8c' };
const gap = { 'stroke-width': '6', 'stroke-linecap': 'round', 'stroke-dasharray': '58 12' };
const icon = xmlElement('svg', [xmlElement('circle', [], { ...ring, ...gap })], {
  ...{ xmlns: 'http://www.w3.org/2000/svg', viewBox: '0 0 32 32' },
});

const faviconReply = textReply('image/svg+xml', String(icon), { 'Cache-Control': 'public, max-age=86400' });

/** Whether `/` is the server's own: no document has an operation there. */
export const isFrontPage = (request: PlainRequest, operationOf: HostedEngine['operationOf']): boolean =>
  request.path === '/' &&
  isRead(request) &&
  methods.every((method) => operationOf({ ...request, method }) === undefined);

/**
 * 302 to the console of the world, for a browser that the console would answer. Undefined for other requests, and where the
 * document has an operation at `/`. No redirect of a site leads away from there: the real site refuses to keep one.
 */
const frontPageReply = (
  request: PlainRequest,
  world: HostedWorld,
  access: ControlAccess,
  { operationOf }: Pick<HostedEngine, 'operationOf'>,
): PlainReply | undefined =>
  isFrontPage(request, operationOf) &&
  /(^|[\s,])text\/html\b/i.test(request.headers['accept'] ?? '') &&
  pageRefusal({ ...request, path: '/_atoll/' }, access) === undefined
    ? leadTo(consoleAddress(world), { Vary: 'Accept' })
    : undefined;

const pages = '/_atoll/docs/';
const ending = '.md';

/**
 * Everybody may read them, as the document: they say nothing of the repository but its address. Undefined for other paths,
 * where there are no guides, and at `/llms.txt` where the document has an operation there.
 */
export const guideReply = (
  request: PlainRequest,
  { baseUrl }: Pick<HostedWorld, 'baseUrl'>,
  guides: Guides | undefined,
  { operationOf }: Pick<HostedEngine, 'operationOf'>,
): Promise<PlainReply> | undefined => {
  const { path } = request;
  if (guides === undefined || !isGuidePath(path)) return undefined;
  if (path.startsWith(pages)) return pageReply(path.slice(pages.length, -ending.length), guides);
  return path === '/llms.txt' && operationOf(request) !== undefined ? undefined : llmsReply(baseUrl, guides);
};

const isGuidePath = (path: string): boolean =>
  path === '/llms.txt' || path === '/_atoll/llms.txt' || (path.startsWith(pages) && path.endsWith(ending));

const pageReply = async (name: string, guides: Guides): Promise<PlainReply> => {
  const text = await guides.read(name);
  return text === undefined
    ? messageReply(404, 'There is no such page. /_atoll/llms.txt lists all.')
    : textReply('text/markdown; charset=utf-8', text);
};

/** Programs read it as Markdown. As plain text browsers show it. */
const llmsReply = async (baseUrl: string, guides: Guides): Promise<PlainReply> => {
  const text = await guides.llms(baseUrl);
  return text === undefined
    ? messageReply(404, 'This package has no llms.txt.')
    : textReply('text/plain; charset=utf-8', text);
};
