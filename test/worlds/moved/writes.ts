/** Every kind of write that a site takes over HTTP. Those that a site does not have are left out by it. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { runHere } from '../../support/command.ts';
import { pdfWith } from '../../support/pdf.ts';
import { pngBytes } from '../../support/png.ts';
import { withDirectory } from '../../support/program.ts';
import type { MovedSite } from './sites.ts';
import type { WritingClient } from './writing-client.ts';

type Write = {
  readonly what: string;
  /** Whether the site has it. Left out: each has. */
  readonly on?: (site: MovedSite) => boolean;
  readonly write: (client: WritingClient, site: MovedSite) => Promise<void>;
};

const typeOf = ({ node }: MovedSite) => ({ type: [{ target_id: node.bundle }] });
const nodeBody = (site: MovedSite, title: string, more: object = {}): object => ({
  ...{ ...typeOf(site), title: [{ value: title }] },
  ...site.node.fields,
  ...more,
});
const termBody = ({ term }: MovedSite, name: string, more: object = {}): object => ({
  ...{ vid: [{ target_id: term.vocabulary }], name: [{ value: name }] },
  ...more,
});
const aliasBody = (path: string, alias: string, langcode = 'en'): object => ({
  ...{ path: [{ value: path }], alias: [{ value: alias }], langcode: [{ value: langcode }] },
});

const redirectType = { type: [{ value: 'redirect' }] };

/** A term for what a media is for. The imported site has none of its own. */
const use = async ({ make }: WritingClient, { name }: MovedSite): Promise<number> => {
  if (name === 'the default site') return 16;
  if (name === 'the starter site') return 3;
  return make('/taxonomy/term', { vid: [{ target_id: 'islandora_media_use' }], name: [{ value: 'Original File' }] });
};

const hasPattern = ({ aliases }: MovedSite): boolean => aliases === 'by pattern';
const isByHand = ({ aliases }: MovedSite): boolean => aliases === 'by hand';
const hasWorkflow = ({ node }: MovedSite): boolean => node.bundle === 'charter';

const writes: readonly Write[] = [
  {
    what: 'a record, changed twice and changed in nothing but words about the revision',
    write: async ({ make, patch }, site) => {
      const id = await make('/node', nodeBody(site, 'A letter'));
      await patch(`/node/${id}`, { ...typeOf(site), title: [{ value: 'Another letter' }] });
      await patch(`/node/${id}`, { ...typeOf(site), revision_log: [{ value: 'Nothing happened.' }] });
      // A boolean in a text is "1" or no text, as on a real site.
      const untitled = await make('/node', nodeBody(site, 'To lose its title'));
      await patch(`/node/${untitled}`, { ...typeOf(site), title: [{ value: false }] });
      const other = await make('/node', nodeBody(site, 'x'.repeat(255)));
      await patch(`/node/${other}`, { ...typeOf(site), revision_log: [{ value: 'Seen.' }] });
      await patch(`/node/${other}`, { ...typeOf(site), title: [{ value: '①  \u{1F409} “quoted” <b>' }] });
    },
  },
  {
    what: 'records of other languages, and of none',
    write: async ({ make, patch }, site) => {
      for (const langcode of ['und', 'zxx']) {
        const id = await make('/node', nodeBody(site, `In ${langcode}`, { langcode: [{ value: langcode }] }));
        await patch(`/node/${id}`, { ...typeOf(site), langcode: [{ value: 'en' }] });
        await patch(`/node/${id}`, { ...typeOf(site), langcode: [{ value: langcode }] });
      }
    },
  },
  {
    what: 'a record that loses its alias by pattern, and one that keeps its own by hand',
    on: hasPattern,
    write: async ({ make, patch }, site) => {
      await make('/node', nodeBody(site, 'By pattern'));
      await make('/node', nodeBody(site, 'By pattern'));
      const byHand = { path: [{ alias: '/by/hand', pathauto: 0 }] };
      const kept = await make('/node', nodeBody(site, 'By hand', byHand));
      await patch(`/node/${kept}`, { ...typeOf(site), path: [{ alias: '/by/another/hand' }] });
      const emptied = await make('/node', nodeBody(site, 'Emptied', { path: [{ alias: '', pathauto: 0 }] }));
      await patch(`/node/${emptied}`, { ...typeOf(site), title: [{ value: 'Still empty' }] });
      await patch(`/node/${kept}`, { ...typeOf(site), path: [{ alias: '', pathauto: 0 }] });
      await make('/node', nodeBody(site, 'Never', { path: [{ alias: '', pathauto: 2 }] }));
      await make('/node', nodeBody(site, 'Long', { path: [{ alias: `/${'l'.repeat(254)}`, pathauto: 0 }] }));
      await make('/node', nodeBody(site, 'Without a slash', { path: [{ alias: 'no-slash', pathauto: 0 }] }));
    },
  },
  {
    what: 'an alias with a record, changed, sent back and taken away',
    on: isByHand,
    write: async ({ make, patch, send }, site) => {
      const id = await make('/node', nodeBody(site, 'With an alias', { path: [{ alias: '/hello' }] }));
      await patch(`/node/${id}`, { ...typeOf(site), path: [{ alias: '/hello-again' }] });
      const { path } = await send('GET', `/node/${id}`);
      await patch(`/node/${id}`, { ...typeOf(site), path });
      const other = await make('/node', nodeBody(site, 'Without', { path: [{ alias: '/bye' }] }));
      const [{ pid } = {}] = (await send('GET', `/node/${other}`))['path'] ?? [];
      await patch(`/node/${other}`, { ...typeOf(site), path: [{ alias: '', pid }] });
      await make('/taxonomy/term', termBody(site, 'With an alias', { path: [{ alias: '/a-term' }] }));
    },
  },
  {
    what: 'aliases as records: of a node, a term and an account, of a language and of none',
    write: async ({ make }, site) => {
      const node = await make('/node', nodeBody(site, 'With further addresses'));
      const term = await make('/taxonomy/term', termBody(site, 'With further addresses'));
      await make('/entity/path_alias', aliasBody(`/node/${node}`, '/further'));
      await make('/entity/path_alias', aliasBody(`/node/${node}`, '/further-still', 'und'));
      await make('/entity/path_alias', aliasBody(`/taxonomy/term/${term}`, '/a-further-term'));
      await make('/entity/path_alias', aliasBody('/user/1', '/the-administrator'));
    },
  },
  {
    what: 'aliases that are changed and deleted as records',
    on: ({ changesAliases }) => changesAliases,
    write: async ({ make, patch, remove }, site) => {
      const node = await make('/node', nodeBody(site, 'With aliases that change'));
      const changed = await make('/entity/path_alias', aliasBody(`/node/${node}`, '/changing'));
      const hidden = await make('/entity/path_alias', aliasBody(`/node/${node}`, '/hidden'));
      await patch(`/entity/path_alias/${changed}`, { alias: [{ value: '/changed' }] });
      await patch(`/entity/path_alias/${hidden}`, { status: [{ value: false }] });
      const other = await make('/node', nodeBody(site, 'With an alias that goes'));
      await remove(`/entity/path_alias/${await make('/entity/path_alias', aliasBody(`/node/${other}`, '/going'))}`);
    },
  },
  {
    what: 'redirects',
    write: async ({ make }, site) => {
      const node = await make('/node', nodeBody(site, 'Led to'));
      const to = [{ uri: `internal:/node/${node}` }];
      await make('/entity/redirect', {
        ...redirectType,
        redirect_source: [{ path: 'old' }],
        redirect_redirect: to,
      });
      await make('/entity/redirect', {
        ...redirectType,
        ...{ redirect_source: [{ path: 'older/', query: { page: '2', of: 'all' } }], redirect_redirect: to },
        ...{ status_code: [{ value: 302 }], language: [{ value: 'und' }] },
      });
      const abroad = [{ uri: 'https://example.org/there?x=1#y', title: 'Elsewhere' }];
      await make('/entity/redirect', {
        ...redirectType,
        redirect_source: [{ path: 'abroad' }],
        redirect_redirect: abroad,
      });
    },
  },
  {
    what: 'terms: below others, with and without a description, and one whose parent is gone',
    write: async ({ make, patch, remove }, site) => {
      const vid = [{ target_id: site.term.vocabulary }];
      const parent = await make('/taxonomy/term', termBody(site, 'Harbour works'));
      const child = await make('/taxonomy/term', termBody(site, 'Moles', { parent: [{ target_id: parent }] }));
      const both = { parent: [{ target_id: parent }, { target_id: child }] };
      const kept = await make('/taxonomy/term', termBody(site, 'Breakwaters', both));
      await patch(`/taxonomy/term/${kept}`, { vid, description: [{ value: 'Against the sea.' }] });
      await patch(`/taxonomy/term/${kept}`, { vid, description: [], parent: [{ target_id: child }] });
      await patch(`/taxonomy/term/${child}`, { vid, parent: [{ target_id: null }], weight: [{ value: -3 }] });
      await remove(`/taxonomy/term/${parent}`);
    },
  },
  {
    what: 'an upload to a node, with an icon that the server makes, other bytes, and another name',
    write: async (client, site) => {
      const term = await use(client, site);
      const node = await client.make('/node', nodeBody(site, 'With a file'));
      const path = `/node/${node}/media/${site.file.type}/${term}`;
      const isSound = site.file.type === 'sound';
      const [type, name] = isSound ? ['audio/mpeg', 'spoken.mp3'] : ['application/pdf', 'letter.pdf'];
      const bytes = isSound ? Buffer.from('no sound at all') : pdfWith('A letter');
      const media = await client.put(path, {
        ...{ bytes, headers: { 'Content-Type': type, 'Content-Location': `public://moved/${name}` } },
      });
      await client.put(path, {
        bytes: Buffer.concat([bytes, Buffer.from('\n')]),
        headers: { 'Content-Type': type, 'Content-Location': `public://moved/again-${name}` },
      });
      const bundle = [{ target_id: site.file.type }];
      await client.patch(`/media/${media}${site.name === 'the default site' ? '' : '/edit'}`, {
        bundle,
        name: [{ value: 'Renamed' }],
      });
    },
  },
  {
    what: 'an image, from whose size the server fills fields, and what it derives of it',
    write: async (client, site) => {
      const term = await use(client, site);
      const model = site.name === 'the starter site' ? { field_model: [{ target_id: 13 }] } : {};
      const node = await client.make('/node', nodeBody(site, 'With an image', model));
      await client.put(`/node/${node}/media/${site.image.type}/${term}`, {
        bytes: pngBytes(60, 40),
        headers: { 'Content-Type': 'image/png', 'Content-Location': 'public://moved/view of the quay.png' },
      });
      await client.atoll.settled();
    },
  },
  {
    what: 'an upload for a term of another vocabulary, which no server refuses',
    write: async (client, site) => {
      const term = await client.make('/taxonomy/term', termBody(site, 'What no file is for'));
      const node = await client.make('/node', nodeBody(site, 'With an odd file'));
      await client.put(`/node/${node}/media/${site.image.type}/${term}`, {
        bytes: pngBytes(16, 16, 9),
        headers: { 'Content-Type': 'image/png', 'Content-Location': 'public://moved/odd.png' },
      });
    },
  },
  {
    what: 'files that are uploaded alone: one that stays temporary, one that a media takes',
    write: async ({ upload, make }, { image }) => {
      await upload(`/file/upload/media/${image.type}/${image.field}`, 'left.png', pngBytes(10, 10, 1));
      const taken = await upload(`/file/upload/media/${image.type}/${image.field}`, 'taken.png', pngBytes(20, 10, 2));
      const source = { [image.field]: [{ target_id: taken, alt: 'A quay', title: '' }] };
      await make('/entity/media', { bundle: [{ target_id: image.type }], name: [{ value: 'Taken' }], ...source });
    },
  },
  {
    what: 'a record that is deleted, with what refers to it left as it is',
    write: async (client, site) => {
      const gone = await client.make('/node', nodeBody(site, 'Going'));
      await client.put(`/node/${gone}/media/${site.image.type}/${await use(client, site)}`, {
        bytes: pngBytes(12, 12, 7),
        headers: { 'Content-Type': 'image/png', 'Content-Location': 'public://moved/left.png' },
      });
      await client.remove(`/node/${gone}`);
    },
  },
  {
    what: 'states of a workflow: a draft, a published one, an archived one, and a draft that waits',
    on: hasWorkflow,
    write: async ({ make, patch }, site) => {
      const state = (value: string) => ({ ...typeOf(site), moderation_state: [{ value }] });
      await make('/node', nodeBody(site, 'A draft', state('draft')));
      const published = await make('/node', nodeBody(site, 'Drafted, published', state('draft')));
      await patch(`/node/${published}`, state('published'));
      const archived = await make('/node', nodeBody(site, 'Archived'));
      await patch(`/node/${archived}`, state('archived'));
      const waiting = await make('/node', nodeBody(site, 'With a waiting draft'));
      await patch(`/node/${waiting}`, { ...state('draft'), title: [{ value: 'Waiting' }] });
    },
  },
  {
    what: 'a translation, which an import brings, of a record that changes afterwards',
    on: hasWorkflow,
    write: async ({ make, patch, atoll }, site) => {
      const id = await make('/node', nodeBody(site, 'A charter'));
      await withDirectory(async (folder) => {
        const file = join(folder, `node/${id}.json`);
        expect(await runHere(['export', folder, '--url', atoll.url])).toMatchObject({ code: 0 });
        const record = JSON.parse(await readFile(file, 'utf8')) as object; // a record
        const fr = { title: [{ value: 'Une charte' }], field_note: [{ value: 'Traduite.' }] };
        await writeFile(file, JSON.stringify({ ...record, translations: { fr } }));
        expect(await runHere(['import', folder, '--url', atoll.url, '--yes'])).toMatchObject({ code: 0 });
      });
      await patch(`/node/${id}`, { ...typeOf(site), title: [{ value: 'Another charter' }] });
    },
  },
  {
    what: 'each record of the sample, sent back as it was read, and with each of its fields emptied',
    on: ({ fixture }) => fixture.startsWith('sample'),
    write: async ({ send, patch, atoll }) => {
      const { entities } = await atoll.entities({ type: 'node', bundle: 'ledger' });
      for (const [index, { id }] of entities.entries()) {
        const record = await send('GET', `/node/${id}`);
        const fields = Object.entries(record).filter(([name]) => name.startsWith('field_'));
        const sent = index % 2 === 0 ? fields : fields.map(([name]) => [name, []] as const);
        await patch(`/node/${id}`, {
          type: record['type'],
          title: [{ value: `Sent back ${id}` }],
          ...Object.fromEntries(sent),
        });
      }
    },
  },
  {
    what: 'a login, which the account remembers',
    write: async ({ atoll }) => {
      const response = await atoll.fetch('/user/login?_format=json', {
        method: 'POST',
        body: JSON.stringify({ name: 'admin', pass: 'islandora' }),
      });
      if (!response.ok) throw new Error(`The login was refused: ${response.status}`);
    },
  },
];

/** The writes that a site takes. */
export const writesOf = (site: MovedSite): readonly Write[] => writes.filter(({ on = () => true }) => on(site));
