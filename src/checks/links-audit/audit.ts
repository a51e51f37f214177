/** Audits the links of a server: walks as each visitor, then compares both ends of links and the visitors' walks. */
import { counted } from '../../basics/counted.ts';
import { junitReport } from '../../basics/report/junit.ts';
import { columnLines } from '../../basics/report/tables.ts';
import { readBasic } from '../../basics/formats/basic-credentials.ts';
import type { TypedLink } from '../../basics/formats/typed-link.ts';
import { createRedaction } from '../../exchange/exchange.ts';
import { type Finding, nameOf, type Visitor, walk, type Walk } from './walk.ts';

export type AuditOptions = {
  /** The base URL of the server, without a slash at its end. */
  readonly base: string;
  /** Absolute addresses to start from. */
  readonly from: readonly string[];
  readonly visitors: readonly Visitor[];
  /** Ends the audit early: it then rejects with the reason. */
  readonly signal?: AbortSignal | undefined;
};

export type Audit = { readonly walks: readonly Walk[]; readonly findings: readonly Finding[] };

/** The visitor without credentials. */
const anonymousName = 'anonymous';

/** Walks as one visitor after the other, in the order of the report. */
export const audit = async ({ base, from, visitors, signal }: AuditOptions): Promise<Audit> => {
  const walks: Walk[] = [];
  for (const visitor of visitors) walks.push(await walk(base, from, visitor, signal));
  const anonymous = walks.find(({ visitor }) => visitor.name === anonymousName);
  const findings = walks.flatMap((each) => [
    ...each.findings,
    ...oneWayLinks(base, each),
    ...(anonymous === undefined || anonymous === each ? [] : missingLinks(anonymous, each)),
  ]);
  return withoutSecrets({ walks, findings }, visitors);
};

/** A server may have put the credentials of a visitor into an address or a link. A password that is a word stays in texts. */
const withoutSecrets = ({ walks, findings }: Audit, visitors: readonly Visitor[]): Audit => {
  const redaction = createRedaction({ secrets: visitors.flatMap(secretsIn) });
  const text = (shown: string): string => redaction.text(shown);
  return {
    walks: walks.map((one) => ({
      ...one,
      pages: new Map([...one.pages].map(([address, links]) => [text(address), links])),
    })),
    findings: findings.map((one) => ({ ...one, address: text(one.address), text: text(one.text) })),
  };
};

const secretsIn = ({ headers }: Visitor): readonly string[] =>
  Object.values(headers).flatMap((value) => [value.replace(/^\w+\s+/, ''), readBasic(value)?.password ?? []].flat());

const isAt = (base: string, address: string, kind: 'node' | 'media'): boolean =>
  address.startsWith(`${base}/${kind}/`) && /^\d+(\/edit)?$/.test(address.slice(base.length + kind.length + 2));

const leadsTo = (links: readonly TypedLink[] | undefined, address: string): boolean =>
  links?.some(({ rel, target }) => rel === 'related' && target === address) ?? false;

/**
 * A node and its media link to each other. A node leads to its media by their uses; a link with another title is that of a
 * field, which need not lead back.
 */
const oneWayLinks = (base: string, walked: Walk): Finding[] => {
  const { visitor, pages, owners } = walked;
  return [...pages].flatMap(([address, links]) => {
    const isNode = isAt(base, address, 'node');
    const expected = links.filter(({ rel, target, title }) => {
      if (rel !== 'related') return false;
      if (!isNode) return owners.get(address)?.includes(target) === true;
      return isAt(base, target, 'media') && pages.get(target)?.some((tag) => tag.rel === 'tag' && tag.title === title);
    });
    return [...new Set(expected.map(({ target }) => target))]
      .filter((target) => pages.has(target) && !leadsTo(pages.get(target), address))
      .map((target) => ({
        visitor: visitor.name,
        address,
        rule: 'reciprocity',
        text: `leads to ${target}, which does not lead back`,
      }));
  });
};

/** Every visitor sees the links that anonymous visitors see. `pages` has complete sets, even of full headers. */
const missingLinks = (anonymous: Walk, { visitor, pages }: Walk): Finding[] =>
  [...anonymous.pages].flatMap(([address, links]) => {
    const seen = new Set(pages.get(address)?.map(nameOf));
    return links
      .filter((link) => link.rel !== 'linkset' && link.rel !== 'alternate' && !seen.has(nameOf(link)))
      .map((link) => ({
        visitor: visitor.name,
        address,
        rule: 'subset',
        text: `lacks ${nameOf(link)}, which anonymous visitors see`,
      }));
  });

/** One line per finding, in columns, then one line per visitor, then the sum. */
export const auditTable = ({ walks, findings }: Audit): string => {
  const lines = columnLines(findings.map(({ rule, visitor, address, text }) => [rule, visitor, address, text]));
  const visitors = walks.map(({ visitor, pages }) => {
    const links = [...pages.values()].reduce((sum, each) => sum + each.length, 0);
    return `${visitor.name}: ${counted(pages.size, 'entity', 'entities')}, ${counted(links, 'link')}`;
  });
  return [...lines, ...visitors, counted(findings.length, 'finding')].join('\n');
};

/** One suite per visitor, one case per entity or address with findings. */
export const auditJunit = ({ walks, findings }: Audit): string =>
  junitReport({
    name: 'atoll links audit',
    sections: walks.map(({ visitor, pages }) => {
      const own = findings.filter((finding) => finding.visitor === visitor.name);
      const name = `links as ${visitor.name}`;
      const cases = [...new Set([...pages.keys(), ...own.map(({ address }) => address)])].map((address) => ({
        ...{ about: name, name: address },
        flaws: own.filter((one) => one.address === address).map(({ rule, text }) => ({ kind: rule, words: text })),
      }));
      return { name, cases };
    }),
  });
