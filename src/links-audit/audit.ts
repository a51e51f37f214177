/** Audits the links of a server: walks as each visitor, then compares both ends of links, and the visitors. */
import type { FoundLink } from './link-syntax.ts';
import { nameOf, walk, type Finding, type Identity, type Walk } from './walk.ts';

export type AuditOptions = {
  /** The base URL of the server, without a slash at its end. */
  readonly base: string;
  /** Absolute addresses to start from. */
  readonly from: readonly string[];
  readonly identities: readonly Identity[];
};

export type Audit = { readonly walks: readonly Walk[]; readonly findings: readonly Finding[] };

/** The visitor without credentials, who sees what everybody sees. */
export const anonymousName = 'anonymous';

/** Walks as one identity after the other, because their order is that of the report. */
export const audit = async ({ base, from, identities }: AuditOptions): Promise<Audit> => {
  const walks: Walk[] = [];
  for (const identity of identities) walks.push(await walk(base, from, identity));
  const everybody = walks.find(({ identity }) => identity.name === anonymousName);
  const findings = walks.flatMap((each) => [
    ...each.findings,
    ...oneWayLinks(base, each),
    ...(everybody === undefined || everybody === each ? [] : missingLinks(everybody, each)),
  ]);
  return { walks, findings };
};

const isAt = (base: string, address: string, kind: 'node' | 'media'): boolean =>
  address.startsWith(`${base}/${kind}/`) && /^\d+$/.test(address.slice(base.length + kind.length + 2));

const leadsTo = (links: readonly FoundLink[] | undefined, address: string): boolean =>
  links?.some(({ rel, target }) => rel === 'related' && target === address) ?? false;

/**
 * Node and media lead to each other (contract: Media of a node, Node of a media). A media without any tag has no use, and
 * so no link from its node.
 */
const oneWayLinks = (base: string, { identity, pages }: Walk): Finding[] =>
  [...pages].flatMap(([address, links]) => {
    const isNode = isAt(base, address, 'node');
    if (!isNode && !(isAt(base, address, 'media') && links.some(({ rel }) => rel === 'tag'))) return [];
    const others = links.filter(
      ({ rel, target }) => rel === 'related' && isAt(base, target, isNode ? 'media' : 'node'),
    );
    return [...new Set(others.map(({ target }) => target))]
      .filter((target) => pages.has(target) && !leadsTo(pages.get(target), address))
      .map((target) => ({
        identity: identity.name,
        address,
        rule: 'reciprocity',
        text: `leads to ${target}, which does not lead back`,
      }));
  });

/** What anonymous visitors see linked, everybody does. Compared are complete sets: which links a full header drops may differ. */
const missingLinks = (everybody: Walk, { identity, pages }: Walk): Finding[] =>
  [...everybody.pages].flatMap(([address, links]) => {
    const seen = new Set(pages.get(address)?.map(nameOf));
    return links
      .filter((link) => link.rel !== 'linkset' && link.rel !== 'alternate' && !seen.has(nameOf(link)))
      .map((link) => ({
        identity: identity.name,
        address,
        rule: 'subset',
        text: `lacks ${nameOf(link)}, which anonymous visitors see`,
      }));
  });
