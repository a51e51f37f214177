/** Links a page to the data behind it: the formats of the record, the console, and its typed links as the header has them. */
import { canonicalPath, type Entity } from '../model/entity.ts';
import { addressPath, type Format } from '../site/site.ts';
import { linksetLink } from '../links/linkset.ts';
import type { World } from '../world.ts';
import { markup, type Markup } from './page-markup.ts';

const formatWords: { readonly [F in Format]: string } = { json: 'JSON', jsonld: 'JSON-LD' };

/** `links` are the lines of the `Link` header. */
export const dataSection = (entity: Entity, links: readonly string[], world: World): Markup => {
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
