/** Reads the language that begins the path of a request, as in `/fr/node/5`, and shows the world in it. */
import { isRead, type PlainRequest } from '../../core/engine/exchange.ts';
import type { World } from '../../core/world.ts';

type Addressed = { readonly request: PlainRequest; readonly world: World };

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
export const languageView = (request: PlainRequest, world: World): Addressed => {
  const { prefixLanguages } = world.site;
  if (prefixLanguages.length === 0 || !isRead(request)) return { request, world };
  const [, first = '', ...rest] = request.path.split('/');
  if (rest.length === 0 || !prefixLanguages.includes(first)) return { request, world };
  return { request: { ...request, path: `/${rest.join('/')}` }, world: viewIn(world, first) };
};
