/** Finds what an address of the repository stands for that its document does not have: a redirect, an alias, a language. */
import { mayBeAlias, mayRedirect, redirectReply, withoutAlias } from './redirect.ts';
import { repositoryWorld, type World } from '../world.ts';
import { type HostedWorld, isRead, type PlainRequest } from '../../openapi/openapi-host.ts';

/** Resolves with the operation of the record that an alias stands for, or says that the path redirects. */
export const followAddress = async <Operation>(
  request: PlainRequest,
  hosted: HostedWorld,
  operationOf: (request: PlainRequest) => Operation | undefined,
): Promise<{ readonly operation: Operation | undefined; readonly isRedirect: boolean }> => {
  const world = repositoryWorld(hosted);
  if (mayRedirect(request, world) && (await redirectReply(request, world)) !== undefined) {
    return { operation: undefined, isRedirect: true };
  }
  const isAliasKnown = mayBeAlias(undefined, world);
  return { operation: isAliasKnown ? operationOf(await withoutAlias(request, world)) : undefined, isRedirect: false };
};

/** A view for each language, because replies are cached by view. */
const views = new WeakMap<World, Map<string, World>>();

const viewIn = (world: World, language: string): World => {
  const known = views.get(world) ?? new Map<string, World>();
  views.set(world, known);
  const view = known.get(language) ?? { ...world, language };
  known.set(language, view);
  return view;
};

/**
 * The request without the language, and the world in it. Only reads have one.
 * open: a real site also changes a translation at such a path, and writes the prefix into addresses.
 */
export const addressed = (
  request: PlainRequest,
  hosted: HostedWorld,
): { readonly request: PlainRequest; readonly world: World } => {
  const world = repositoryWorld(hosted);
  const { prefixLanguages } = world.site;
  if (prefixLanguages.length === 0 || !isRead(request)) return { request, world };
  const [, first = '', ...rest] = request.path.split('/');
  if (rest.length === 0 || !prefixLanguages.includes(first)) return { request, world };
  return { request: { ...request, path: `/${rest.join('/')}` }, world: viewIn(world, first) };
};
