/** The rules of the contract by section: what the checks of `atoll verify` hold a server to. */
import { counted } from '../../basics/counted.ts';
import { contractChecks, readTarget } from '../../checks/checks.ts';
import type { SiteLocations } from '../session/session.ts';

type Rule = { readonly rule: string; readonly source: string; readonly check: string };
type RulesBySection = ReadonlyMap<string, readonly Rule[]>;

/** By the name of the section: `signposting`, `errors`, `rfc-9110`, `a-real-site`. */
export const rulesBySection = (locations: SiteLocations): Promise<RulesBySection> => {
  const known = made.get(locations) ?? readRules(locations);
  made.set(locations, known);
  return known;
};

/** Reading the contract and making the checks takes some tenths of a second. */
const made = new WeakMap<SiteLocations, Promise<RulesBySection>>();

const readRules = async (locations: SiteLocations): Promise<RulesBySection> => {
  const { contract } = await readTarget({ target: 'http://localhost', locations });
  const sections = new Map<string, Rule[]>();
  for (const { name, rule, source } of contractChecks(contract)) {
    const section = sectionOf(source);
    sections.set(section, [...(sections.get(section) ?? []), { rule, source, check: name }]);
  }
  return new Map([...sections].sort(([a], [b]) => (a < b ? -1 : 1)));
};

/** The first of several sources counts. */
const sectionOf = (source: string): string => {
  const [first = ''] = source.split(';', 1);
  const [, place, section] =
    /^(contract|document|recording|docs\/use\/differences\.md|a real site)(?::\s*([^,:]*))?/.exec(first) ?? [];
  const rfc = /^RFC \d+/.exec(first)?.[0];
  const title =
    rfc ?? (place === 'contract' ? section : place === 'docs/use/differences.md' ? 'differences' : place) ?? first;
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
};

export const sectionsPage = (sections: RulesBySection): string =>
  [
    '# The rules of the contract',
    '',
    ...[...sections].map(([name, rules]) => `- [${name}](atoll://rules/${name}): ${counted(rules.length, 'rule')}`),
  ].join('\n');

export const rulesPage = (section: string, rules: readonly Rule[]): string =>
  [
    `# Rules: ${section}`,
    '',
    ...rules.map(({ rule, source, check }) => `- ${rule} (${source}; check \`${check}\`)`),
  ].join('\n');
