/** Writes the platform's links of a record as header values, from a pattern that is made once for each bundle. */
import type { Entity } from '../model/entity.ts';
import type { Site } from '../site/site.ts';
import type { LinkContext } from './link-context.ts';
import { platformLinks } from './platform-links.ts';
import { linkHeader } from './typed-link.ts';

/** A header value, cut where the id of the record stands. */
type Pattern = readonly string[];

/** No record has this id: it stands for that of any record. */
const anyId = Number.MAX_SAFE_INTEGER;

/** By base URL, then by type and bundle. */
type Patterns = Map<string, Map<string, readonly Pattern[]>>;

const patternsOf = new WeakMap<Site, Patterns>();

/** The values of the `Link` header lines of `platformLinks`. */
export const platformLines = (entity: Entity, context: Pick<LinkContext, 'site' | 'baseUrl'>): string[] => {
  // The address of a record with an alias is its own.
  if (entity.fields['path'] !== undefined) return platformLinks(entity, context).map(linkHeader);
  const id = String(entity.id);
  return bundlePatterns(entity, context).map((pattern) => filled(pattern, id));
};

const filled = (pattern: Pattern, id: string): string => {
  let line = pattern[0] ?? '';
  for (let at = 1; at < pattern.length; at += 1) line += id + (pattern[at] ?? '');
  return line;
};

const bundlePatterns = (entity: Entity, context: Pick<LinkContext, 'site' | 'baseUrl'>): readonly Pattern[] => {
  const { site, baseUrl } = context;
  const ofSite = patternsOf.get(site) ?? new Map<string, Map<string, readonly Pattern[]>>();
  patternsOf.set(site, ofSite);
  const ofAddress = ofSite.get(baseUrl) ?? new Map<string, readonly Pattern[]>();
  ofSite.set(baseUrl, ofAddress);
  const key = `${entity.type}/${entity.bundle}`;
  const known = ofAddress.get(key);
  if (known !== undefined) return known;
  const lines = platformLinks({ ...entity, id: anyId }, context).map(linkHeader);
  const made = lines.map((line) => line.split(String(anyId)));
  ofAddress.set(key, made);
  return made;
};
