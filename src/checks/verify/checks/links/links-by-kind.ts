/** Checks the links that only some records have: of the platform, of a node to its media, of a media to its node and file. */
import { linksNamed, type Link } from '../../../../client/link.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { CheckSkip, expectSame, expectThat, shown } from '../../answer.ts';
import { type Check, type CheckContext, contractRule, referenceRule } from '../../check.ts';
import { recordOf, valueIn, valuesIn } from '../../record-members.ts';
import { expectLink, readLinks, shownLink, wholeLinks } from './read-links.ts';
import { fileOf, mediaOf, readerOf, readingCheck, readOk } from '../reading/reading-check.ts';
import { allKinds, belowBase, readKind, recordPath, seenKinds, type SeenKind } from '../reading/seen-records.ts';

export const linkByKindChecks = ({ site }: TargetContract): readonly Check[] => {
  const media = allKinds(site).filter(({ type }) => type === 'media');
  return [
    ...(site.platformLinks ? platformTable.flatMap(platformChecks(site.relationsBase)) : []),
    ...media.flatMap((kind) => [mediaOfNode(kind), nodeOfMedia(kind), describes(kind), editMedia(kind)]),
    onlyOwnMedia,
    noLinksOfRecords,
    noLinksToTerms,
  ];
};

type PlatformRelation = {
  readonly kind: SeenKind;
  /** Contract: the relations that it names. Reference: others. */
  readonly severity: Check['severity'];
  /** A name without a slash is registered; others begin with the base of the site. */
  readonly relations: Readonly<Record<string, string>>;
};

/** `{id}` and `{bundle}` stand for those of the record. */
const platformTable: readonly PlatformRelation[] = [
  {
    kind: seenKinds.node,
    severity: 'contract',
    relations: {
      'edit-form': '/node/{id}/edit',
      'version-history': '/node/{id}/revisions',
      '/delete-form': '/node/{id}/delete',
      '/delete-multiple-form': '/admin/content/node/delete?node={id}',
      '/revision': '/node/{id}',
      '/create': '/node?node={id}',
    },
  },
  {
    kind: seenKinds.media,
    severity: 'contract',
    relations: {
      'edit-form': '/media/{id}/edit',
      collection: '/admin/content/media',
      '/delete-form': '/media/{id}/delete',
      '/delete-multiple-form': '/media/delete?media={id}',
      '/revision': '/media/{id}',
      '/add-page': '/media/add',
      '/add-form': '/media/add/{bundle}',
    },
  },
  {
    kind: seenKinds.term,
    severity: 'reference',
    relations: {
      canonical: '/taxonomy/term/{id}',
      'edit-form': '/taxonomy/term/{id}/edit',
      '/delete-form': '/taxonomy/term/{id}/delete',
      'version-history': '/taxonomy/term/{id}/revisions',
    },
  },
  { kind: seenKinds.file, severity: 'reference', relations: { '/delete-form': '/file/{id}/delete' } },
];

const platformChecks =
  (relationsBase: string) =>
  ({ kind, severity, relations }: PlatformRelation): readonly Check[] =>
    Object.entries(relations).map(([name, pattern]) => {
      const rel = name.startsWith('/') ? relationsBase + name : name;
      return readingCheck({
        name: `link.${kind.word}.platform-${name.replace('/', '')}`,
        rule: `A ${kind.word} has one link of the platform's relation ${rel}, to ${pattern}.`,
        source: severity === 'contract' ? 'contract: Signposting, platform relations' : 'a real site',
        severity,
        operations: [kind.operation],
        run: async (context) => {
          const { answer, id, bundle } = await readKind(context, kind);
          const link = onlyOf(await wholeLinks(context, answer), rel);
          const isOwn = name === '/revision' || name === 'canonical';
          // Where a record has an alias, or a media no page of its own, its address is another.
          if (isOwn && (bundle.fields.has('path') || !context.contract.site.standaloneMedia)) return;
          const path = pattern.replace('{id}', String(id)).replace('{bundle}', bundle.id);
          expectSame(link.target, context.baseUrl + path, 'The target');
        },
      });
    });

/** The one link of a relation. */
const onlyOf = (links: readonly Link[], rel: string): Link => {
  const [link, ...more] = linksNamed(links, rel);
  expectThat(link !== undefined && more.length === 0, `There are ${linksNamed(links, rel).length}.`);
  return link;
};

/** Links and content are compared by path: an address can be written in several ways. */
const linkTo = (context: CheckContext, target: string, path: string): boolean => {
  const below = belowBase(context, target);
  return below === path || below === path.replace(/\/edit$/, '');
};

const usesOf = async (context: CheckContext, kind: SeenKind): Promise<readonly string[]> => {
  const { record } = await readKind(context, kind);
  const names: string[] = [];
  for (const id of valuesIn(record, 'field_media_use', 'target_id')) {
    names.push(String(valueIn(recordOf(await readOk(context, `/taxonomy/term/${String(id)}?_format=json`)), 'name')));
  }
  if (names.length === 0) throw new CheckSkip('The media has no use.');
  return names;
};

const nodesOf = async (context: CheckContext, kind: SeenKind): Promise<readonly number[]> => {
  const { record } = await readKind(context, kind);
  const ids = valuesIn(record, 'field_media_of', 'target_id').filter((id) => typeof id === 'number');
  if (ids.length === 0) throw new CheckSkip('The media has no node.');
  return ids;
};

const mediaOfNode = (kind: SeenKind): Check =>
  readingCheck({
    ...contractRule(`link.node.${kind.word}`, 'contract: Signposting, Media of a node'),
    rule: `The node of a ${kind.word} links to it as related, with the label of the use as the title.`,
    operations: ['getNode', kind.operation],
    run: async (context) => {
      const path = recordPath(context, 'media', kind.find(context).id);
      const uses = await usesOf(context, kind);
      for (const id of await nodesOf(context, kind)) {
        const links = await wholeLinks(context, await readOk(context, `/node/${id}?_format=json`));
        for (const title of uses) {
          const isThere = linksNamed(links, 'related', { title }).some(({ target }) => linkTo(context, target, path));
          if (!isThere) expectLink(links, { rel: 'related', title, target: context.baseUrl + path });
        }
      }
    },
  });

const nodeOfMedia = (kind: SeenKind): Check =>
  readingCheck({
    ...contractRule(`link.${kind.word}.node`, 'contract: Signposting, Node of a media'),
    rule: `A ${kind.word} links to its node as related, with the label of the field as the title.`,
    operations: ['getNode', kind.operation],
    run: async (context) => {
      const { links, bundle } = await readLinks(context, kind);
      const title = bundle.fields.get('field_media_of')?.label ?? '';
      for (const id of await nodesOf(context, kind)) {
        const node = recordOf(await readOk(context, `/node/${id}?_format=json`));
        if (typeof valueIn(node, 'path', 'alias') === 'string') continue;
        expectLink(links, { rel: 'related', title, target: `${context.baseUrl}/node/${id}` });
      }
    },
  });

const describes = (kind: SeenKind): Check =>
  readingCheck({
    ...contractRule(`link.${kind.word}.describes`, 'contract: Signposting, Source file of a media'),
    rule: `A ${kind.word} has one link of the relation describes, to the content of its file, with its MIME type.`,
    operations: [kind.operation, 'getFile'],
    run: async (context) => {
      const { links, bundle } = await readLinks(context, kind);
      const link = onlyOf(links, 'describes');
      // A run that only reads knows the file by this link.
      const file = fileOf(context, bundle.id);
      expectSame(belowBase(context, link.target), file.content, 'The path of the target');
      expectSame(link.type, valueIn(file.record, 'filemime'), 'The type of the link');
    },
  });

const editMedia = (kind: SeenKind): Check =>
  readingCheck({
    ...contractRule(`link.${kind.word}.edit-media`, 'contract: Signposting, Edit source file; a real site'),
    rule: `A ${kind.word} links to /media/{media_id}/source as edit-media, for those who may update media.`,
    operations: [kind.operation, 'putMediaSource'],
    run: async (context) => {
      const { links, id } = await readLinks(context, kind);
      if (context.may(readerOf(context), 'update media')) {
        const { target, title } = onlyOf(links, 'edit-media');
        expectSame([target, title], [`${context.baseUrl}/media/${id}/source`, undefined], 'The target with its title');
      } else expectSame(linksNamed(links, 'edit-media').length, 0, 'The number of links for who may not follow them');
    },
  });

const onlyOwnMedia = readingCheck({
  ...contractRule('link.node.only-own-media', 'contract: Signposting, Media of a node'),
  rule: 'Every media that a node links to names this node as its own.',
  operations: ['getNode', 'getMedia'],
  run: async (context) => {
    const { links, id, bundle } = await readLinks(context, seenKinds.node);
    const fieldLabels = new Set([...bundle.fields.values()].map(({ label }) => label));
    for (const link of linksNamed(links, 'related')) {
      const [, media] = /^\/media\/(\d+)(?:\/edit)?$/.exec(belowBase(context, link.target) ?? '') ?? [];
      if (media === undefined || fieldLabels.has(link.title ?? '')) continue;
      const path = recordPath(context, 'media', Number(media));
      const nodes = valuesIn(recordOf(await readOk(context, `${path}?_format=json`)), 'field_media_of', 'target_id');
      expectThat(nodes.includes(id), `${shownLink(link)} leads to a media of ${shown(nodes)}.`);
    }
  },
});

const noneOf = (name: string, kind: SeenKind, what: string): Check =>
  readingCheck({
    ...referenceRule(name, 'a real site'),
    rule: `The links of a ${what} are those of the platform alone.`,
    operations: [kind.operation],
    run: async (context) => {
      if (kind === seenKinds.file) mediaOf(context);
      const { answer } = await readKind(context, kind);
      const other = answer.links.find(({ rel }) => ['related', 'tag', 'describes', 'edit-media'].includes(rel));
      expectThat(other === undefined, `It has ${other === undefined ? '' : shownLink(other)}.`);
    },
  });

const noLinksOfRecords = noneOf('link.file.platform-only', seenKinds.file, 'file');
const noLinksToTerms = noneOf('link.term.platform-only', seenKinds.term, 'term');
