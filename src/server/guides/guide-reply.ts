/** Answers with `llms.txt` and with the pages of the documentation as Markdown, before anything is counted or remembered. */
import type { Engine } from '../../core/engine/engine.ts';
import { isRead, type PlainReply, type PlainRequest } from '../../core/engine/exchange.ts';
import { messageReply, textReply } from '../../core/engine/text-reply.ts';
import type { Guides } from './guides.ts';
import type { World } from '../../core/world.ts';

const pages = '/_atoll/docs/';

/**
 * Everybody may read them, as the document: they say nothing of the repository but its address. Undefined for other paths,
 * where there are no guides, and at `/llms.txt` where the document has an operation there.
 */
export const guideReply = (
  request: PlainRequest,
  { baseUrl }: Pick<World, 'baseUrl'>,
  guides: Guides | undefined,
  { operationOf }: Pick<Engine, 'operationOf'>,
): Promise<PlainReply> | undefined => {
  const { path } = request;
  if (guides === undefined || !isGuidePath(path) || !isRead(request)) return undefined;
  if (path.startsWith(pages)) return pageReply(path.slice(pages.length, -ending.length), guides);
  return path === '/llms.txt' && operationOf(request) !== undefined ? undefined : llmsReply(baseUrl, guides);
};

const ending = '.md';

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
