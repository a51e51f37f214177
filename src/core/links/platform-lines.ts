/** Writes the platform's links of a record as header values, from a pattern that is made once for each bundle. */
import type { Entity } from '../model/entity.ts';
import { escapeUri } from '../representations/uri.ts';
import type { Site } from '../site/site.ts';
import type { LinkContext } from './link-context.ts';
import { platformLinks } from './platform-links.ts';
import { linkHeader } from './typed-link.ts';

/** A header value from behind the base URL on, cut where the id of the record stands. */
type Pattern = readonly string[];

/** No record has this id: it stands for that of any record. */
const anyId = Number.MAX_SAFE_INTEGER;

/** By type and bundle. They have no base URL: each world has another, and worlds come and go. */
type Patterns = Map<string, readonly Pattern[]>;

const patternsOf = new WeakMap<Site, Patterns>();

/** The values of the `Link` header lines of `platformLinks`. */
export const platformLines = (entity: Entity, context: Pick<LinkContext, 'site' | 'baseUrl'>): string[] => {
  // The address of a record with an alias is its own.
  if (entity.fields['path'] !== undefined) return platformLinks(entity, context).map(linkHeader);
  const id = String(entity.id);
  const start = `<${escapeUri(context.baseUrl)}`;
  return bundlePatterns(entity, context.site).map((pattern) => filled(pattern, start, id));
};

const filled = (pattern: Pattern, start: string, id: string): string => {
  let line = start + (pattern[0] ?? '');
  for (let at = 1; at < pattern.length; at += 1) line += id + (pattern[at] ?? '');
  return line;
};

const bundlePatterns = (entity: Entity, site: Site): readonly Pattern[] => {
  const ofSite = patternsOf.get(site) ?? new Map<string, readonly Pattern[]>();
  patternsOf.set(site, ofSite);
  const key = `${entity.type}/${entity.bundle}`;
  const known = ofSite.get(key);
  if (known !== undefined) return known;
  const lines = platformLinks({ ...entity, id: anyId }, { site, baseUrl: '' }).map(linkHeader);
  const made = lines.map((line) => line.slice('<'.length).split(String(anyId)));
  ofSite.set(key, made);
  return made;
};
