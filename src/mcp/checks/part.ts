/** What agents have of the part `checks`: its tools, and the pages of the rules that it checks. */
import type { SiteLocations } from '../session/session.ts';
import type { Tool } from '../tool.ts';
import { auditLinks } from './audit-links.ts';
import { verifyTarget } from './verify-target.ts';

export const tools: readonly Tool[] = [auditLinks, verifyTarget];

/** The page of a section of the rules in Markdown, or the list of the sections. Undefined where there is no such section. */
export const readRules = async (section: string | undefined, locations: SiteLocations): Promise<string | undefined> => {
  const { rulesBySection, rulesPage, sectionsPage } = await import('./rules.ts');
  const sections = await rulesBySection(locations);
  if (section === undefined) return sectionsPage(sections);
  const rules = sections.get(section);
  return rules && rulesPage(section, rules);
};
