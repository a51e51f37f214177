/** Makes the page of a record: what it is, its media, its fields, its members, and the data behind it. */
import { linkHeadersOf } from '../links/entity-links.ts';
import { linkContextOf, linksetLink } from '../links/link-context.ts';
import { canonicalPath } from '../model/entity.ts';
import { inLanguage } from '../model/translations.ts';
import { addressPath, type Format } from '../site/site.ts';
import type { World } from '../world.ts';
import { fieldSections, itemsShown, shownRecord, type ShownRecord } from './fields-section.ts';
import { pageText } from './frame.ts';
import { leadPicture, mediaSection } from './media-section.ts';
import { membersSection } from './members-section.ts';
import { type PageContext, recordPath, shownLabel } from '../markup/page-context.ts';
import { joined, markup, type Markup } from '../markup/page-markup.ts';
import { languageName } from '../markup/words.ts';
import { type Entity, entityKey, firstValue, textOf } from '../../openapi/openapi-records.ts';

type RecordPage = { readonly text: string; readonly links: readonly string[] };

/** The page of a record that the viewer may view, and the lines of its `Link` header. `members` is the page of its members. */
export const recordPage = (
  stored: Entity,
  context: PageContext & { readonly world: World },
  members: number,
): RecordPage => {
  const { world, viewer, records } = context;
  const entity = inLanguage(stored, world.language);
  const title = shownLabel(entity, world);
  const shown = shownRecord(entity, context);
  const media = mediaSection(entity, context);
  const lead = entity.type === 'node' ? leadPicture(entity, context) : undefined;
  const membersPart = membersSection(entity, context, members);
  const { type } = stored;
  const links = linkHeadersOf(stored, linkContextOf(world, { principal: viewer, records, type }, undefined));
  const language = textOf(firstValue(entity, 'langcode'));
  const main = markup`<article>
<p class="kind">${joined(kindOf(shown), markup` · `)}</p>
<h1 dir="auto"${languageAttribute(language)}>${title}</h1>
${otherLanguages(stored, context)}${lead}${media}${membersPart}${fieldSections(shown)}</article>
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

const formatWords: { readonly [F in Format]: string } = { json: 'JSON', jsonld: 'JSON-LD' };

/** `links` are the lines of the `Link` header. */
const dataSection = (entity: Entity, links: readonly string[], world: World): Markup => {
  const { site, basePath } = world;
  const { type, id } = entity;
  const formats = site.resources.get(type)?.methods.get('GET')?.formats ?? [];
  const address = basePath + addressPath(site, type, id);
  const linkset = formats.length === 0 ? undefined : linksetLink(entity, world);
  const rows = [
    ...formats.map((format) => [`${address}?_format=${format}`, formatWords[format]] as const),
    ...(linkset === undefined
      ? []
      : [[`${basePath}${canonicalPath(type, id)}/linkset`, 'All links (linkset)'] as const]),
    [`${basePath}/_atoll/#/entities/${type}/${id}`, 'This record in the console'] as const,
  ];
  return markup`<section aria-labelledby="data">
<h2 id="data">As data</h2>
<ul>
${rows.map(([target, words]) => markup`<li><a href="${target}">${words}</a></li> `)}
</ul>
${linkLines(links)}
</section>
`;
};

const linkLines = (lines: readonly string[]): Markup | undefined =>
  lines.length === 0
    ? undefined
    : markup`<h3 id="links">Its Link headers</h3>
<p class="note">The forms of a real site are named too. They are not here.</p>
<ul class="links" aria-labelledby="links">
${lines.map((line) => markup`<li><code>${linkLine(line)}</code></li> `)}
</ul>
`;

/** The forms and lists of a real site's user interface, which are not here, and where bytes are sent to. */
const formRelation = /; rel="[^"]*(?:-form|-page|create|collection|version-history|edit-media)"/;

/** The line as it is sent; its target is a link where it leads to something. */
const linkLine = (line: string): Markup => {
  const [whole, target = ''] = /^<(https?:\/\/[^>]*)>/.exec(line) ?? [];
  return whole === undefined || formRelation.test(line)
    ? markup`${line}`
    : markup`&lt;<a href="${target}">${target}</a>&gt;${line.slice(whole.length)}`;
};
