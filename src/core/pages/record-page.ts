/** Makes the page of a record: what it is, its media, its fields, its members, and the data behind it. */
import { linkHeadersOf } from '../links/bounded-links.ts';
import { linkContextOf } from '../links/link-context.ts';
import { entityKey, firstValue, textOf, type Entity } from '../model/entity.ts';
import { inLanguage } from '../model/translations.ts';
import { dataSection } from './data-section.ts';
import { fieldSections, itemsShown, shownRecord, type ShownRecord } from './fields-section.ts';
import { pageText } from './frame.ts';
import { joined, markup, type Markup } from './page-markup.ts';
import { mediaSection } from './media-section.ts';
import { membersSection } from './members-section.ts';
import { recordPath, shownLabel, type PageContext } from './page-context.ts';
import { languageName } from './words.ts';

type RecordPage = { readonly text: string; readonly links: readonly string[] };

/** The page of a record that the viewer may view, and the lines of its `Link` header. `members` is the page of its members. */
export const recordPage = async (stored: Entity, context: PageContext, members: number): Promise<RecordPage> => {
  const { world, viewer } = context;
  const entity = inLanguage(stored, world.language);
  const title = shownLabel(entity, world);
  const [shown, media, membersPart, links] = await Promise.all([
    shownRecord(entity, context),
    mediaSection(entity, context),
    membersSection(entity, context, members),
    linkHeadersOf(stored, linkContextOf(world, viewer, stored.type, undefined)),
  ]);
  const language = textOf(firstValue(entity, 'langcode'));
  const main = markup`<article>
<p class="kind">${joined(kindOf(shown), markup` · `)}</p>
<h1 dir="auto"${languageAttribute(language)}>${title}</h1>
${otherLanguages(stored, context)}${media}${membersPart}${fieldSections(shown)}</article>
${dataSection(entity, links, world)}`;
  return { text: pageText({ title, main, viewer }, world), links };
};

/** Bundle, model and whether it is published, as far as the viewer may see it. */
const kindOf = ({ bundle, body, context }: ShownRecord): readonly Markup[] => {
  const [model] = itemsShown(body, 'field_model');
  const key = typeof model?.['target_id'] === 'number' ? entityKey('taxonomy_term', model['target_id']) : undefined;
  const term = key === undefined || !context.visible.has(key) ? undefined : context.targets.get(key);
  const [status] = itemsShown(body, 'status');
  return [
    markup`${bundle.label}`,
    ...(term === undefined ? [] : [markup`${shownLabel(term, context.world)}`]),
    ...(status === undefined ? [] : [stateOf(bundle.entityType, status['value'] === true)]),
  ];
};

const stateOf = (type: Entity['type'], isOn: boolean): Markup => {
  const [on, off] = type === 'user' ? ['Active', 'Blocked'] : ['Published', 'Not published'];
  return isOn ? markup`${on}` : markup`<span class="badge">${off}</span>`;
};

const isSpoken = (language: string): boolean => language !== '' && language !== 'und' && language !== 'zxx';

const languageAttribute = (language: string): Markup | undefined =>
  isSpoken(language) && language !== 'en' ? markup` lang="${language}"` : undefined;

/** Links to the record in the languages that paths of the site may begin with. */
const otherLanguages = (stored: Entity, { world }: PageContext): Markup | undefined => {
  const { site, basePath, language } = world;
  const own = textOf(firstValue(stored, 'langcode'));
  const translated = site.prefixLanguages.filter((code) => code !== own && stored.translations?.[code] !== undefined);
  if (translated.length === 0) return undefined;
  const path = recordPath(stored, world);
  const links = [
    ...(language !== undefined ? [{ code: own, address: basePath + path }] : []),
    ...translated.filter((code) => code !== language).map((code) => ({ code, address: `${basePath}/${code}${path}` })),
  ];
  if (links.length === 0) return undefined;
  const shown = links.map(
    ({ code, address }) => markup`<a href="${address}" hreflang="${code}">${languageName(code)}</a>`,
  );
  return markup`<p>In other languages: ${joined(shown, markup`, `)}</p> `;
};
