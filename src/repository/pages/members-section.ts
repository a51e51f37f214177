/** Lists the members of an object, page by page. */
import { bundleOf } from '../model/bundle.ts';
import { pageOf, type ListPage } from '../content/lists/list-page.ts';
import { eachOf } from '../model/reading.ts';
import { membersOf } from '../model/index-keys.ts';
import { isPublished, targetIds } from '../model/entity.ts';
import { markup, type Markup } from '../markup/page-markup.ts';
import { isRestrictedFrom, isVisible, visibleKeys } from './visible-records.ts';
import { type PageContext, pagePath, recordLink, shownLabel, targetsAt } from '../markup/page-context.ts';
import { entityKey, firstValue, type Entity } from '../../openapi/openapi-records.ts';

const membersOnPage = 50;

/** Undefined without members that the viewer may view. `page` counts from 0; one behind the end is the last. */
export const membersSection = (entity: Entity, context: PageContext, page: number): Markup | undefined => {
  if (entity.type !== 'node') return undefined;
  const members = visibleMembers(entity, context);
  if (members.length === 0) return undefined;
  const last = Math.ceil(members.length / membersOnPage) - 1;
  const shown = pageOf(members, { number: Math.min(page, last), size: membersOnPage });
  const models = modelsOf(shown.entries, context);
  const rows = shown.entries.map((member) => {
    const kind = models(member) ?? bundleOf(context.world.site, member).label;
    return markup`<li>
${recordLink(member, context)}
<span class="note">${kind}</span>${isPublished(member) ? undefined : markup` <span class="badge">not published</span>`}
</li>
`;
  });
  const first = shown.page.number * membersOnPage + 1;
  return markup`<section aria-labelledby="members">
<h2 id="members">Members (${members.length})</h2>
<ol class="members" start="${first}">
${rows}
</ol>
${pager(shown, pagePath(entity, context.world))}
</section>
`;
};

/** By weight where members have one, then by id. */
const visibleMembers = (node: Entity, context: PageContext): readonly Entity[] => {
  const { records } = context;
  const found = records.lookup(membersOf(node.id));
  const answers = eachOf(found, (member) => isVisible(member, context), { records, name: 'members' });
  const visible = found.filter((_, at) => answers[at]);
  const weights = new Map(visible.map((member) => [member, weightOf(member)]));
  return visible.sort((a, b) => (weights.get(a) ?? 0) - (weights.get(b) ?? 0) || a.id - b.id);
};

/** A member without a weight goes first, as in the list of members. */
const weightOf = (member: Entity): number => {
  const weight = firstValue(member, 'field_weight');
  return typeof weight === 'number' ? weight : Number.MIN_SAFE_INTEGER;
};

/** The labels of the models that the viewer may view. */
const modelsOf = (members: readonly Entity[], context: PageContext): ((member: Entity) => string | undefined) => {
  const keyOf = (member: Entity) =>
    isRestrictedFrom(member, 'field_model', context)
      ? undefined
      : targetIds(member, 'field_model').map((id) => entityKey('taxonomy_term', id))[0];
  const terms = targetsAt(
    members.flatMap((member) => keyOf(member) ?? []),
    context,
  );
  const visible = visibleKeys(terms.values(), context);
  return (member) => {
    const key = keyOf(member);
    const term = key === undefined || !visible.has(key) ? undefined : terms.get(key);
    return term && shownLabel(term, context.world);
  };
};

const pager = ({ page, pages }: ListPage<Entity>, path: string): Markup | undefined => {
  if (pages === 1) return undefined;
  const link = (number: number, words: string, rel: string): Markup =>
    markup`<a href="${path}?page=${number}#members" rel="${rel}">${words}</a> `;
  return markup`<nav class="pager" aria-label="Pages of members">
${page.number > 0 ? [link(0, 'First', 'first'), link(page.number - 1, 'Previous', 'prev')] : undefined}<span>Page ${page.number + 1} of ${pages}</span>
${page.number < pages - 1 ? [link(page.number + 1, 'Next', 'next'), link(pages - 1, 'Last', 'last')] : undefined}
</nav>
`;
};
