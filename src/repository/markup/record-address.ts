/** Reads which record a path is the address of, among those that a real site has pages for. */
import { addressPath, type Site } from '../site/site.ts';

/** A real site has no pages of files, aliases and redirects. */
export const pageTypes = ['node', 'media', 'taxonomy_term', 'user'] as const;
type PageType = (typeof pageTypes)[number];

export type RecordAddress = { readonly type: PageType; readonly id: number };

/** A whole number of at most 15 digits, without leading zeros or signs, so that a record has one address. */
const trailingId = /\/(0|[1-9][0-9]{0,14})(?=\/|$)/;

/** Undefined for any other path. A slash at the end does not count, as in the contract's paths. */
export const recordAddress = (path: string, site: Pick<Site, 'standaloneMedia'>): RecordAddress | undefined => {
  const id = trailingId.exec(path)?.[1];
  if (id === undefined) return undefined;
  const exact = path.endsWith('/') ? path.slice(0, -1) : path;
  const type = pageTypes.find((each) => addressPath(site, each, Number(id)) === exact);
  return type === undefined ? undefined : { type, id: Number(id) };
};

/** The pattern and the name of the page's route on the real site, for its 404. */
export const routeOf = (
  type: PageType,
): { readonly parameter: string; readonly path: string; readonly name: string } => {
  const paths: { readonly [T in PageType]: string } = {
    node: '/node/{node}',
    media: '/media/{media}',
    taxonomy_term: '/taxonomy/term/{taxonomy_term}',
    user: '/user/{user}',
  };
  return { parameter: type, path: paths[type], name: `entity.${type}.canonical` };
};
