/** Checks the links that only some records have: of the platform, of a node to its media, of a media to its node and file. */
import { linksNamed } from '../../../../client/link.ts';
import { platformLinks } from '../../../../core/links/entity-links.ts';
import type { Site } from '../../../../core/site/site.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { CheckSkip, expectThat, shown } from '../../answer.ts';
import { type Check, contractRule, referenceRule } from '../../check.ts';
import { recordOf, valuesIn } from '../../record-members.ts';
import { expectLinks, expectRelation, readAllLinks, readLinks, shownLink, type SeenLinks } from './read-links.ts';
import { readingCheck, readOk, type SeenRule } from '../reading/reading-check.ts';
import {
  allKinds,
  belowBase,
  kindChecks,
  readKind,
  recordPath,
  seenKinds,
  type SeenKind,
} from '../reading/seen-records.ts';

export const linkByKindChecks = ({ site }: TargetContract): readonly Check[] => {
  const media = allKinds(site).filter(({ type }) => type === 'media');
  return [
    ...(site.platformLinks ? Object.values(seenKinds).flatMap((kind) => platformChecks(site, kind)) : []),
    ...media.flatMap((kind) => [mediaOfNode(kind), ...kindChecks('link', kind, mediaRules(kind), readLinks)]),
    onlyOwnMedia,
    platformOnly('file'),
    platformOnly('term'),
  ];
};

/** A number for the id of a record that is none. */
const anyId = 987654321;

/** A check for each page of the platform. Whether a record has a draft is not known, and nodes and media have a check of the canonical link. */
const platformChecks = (site: Site, kind: SeenKind): readonly Check[] => {
  const isOfContract = kind.type === 'node' || kind.type === 'media';
  const left = ['latest-version', ...(isOfContract ? ['canonical'] : [])];
  const record = { type: kind.type, id: anyId, bundle: '{bundle}', uuid: '', fields: {} };
  const rules = platformLinks(record, { site, baseUrl: '' })
    .filter(({ rel }) => !left.includes(rel))
    .map(({ rel, target }): SeenRule<SeenLinks> => {
      const name = `platform-${rel.replace(/^.*\//, '')}`;
      return {
        ...(isOfContract
          ? contractRule(name, 'contract: Signposting, platform relations')
          : referenceRule(name, 'a real site')),
        rule: `A ${kind.word} has one link of the platform's relation ${rel}, to ${target.replaceAll(String(anyId), '{id}')}.`,
        expect: (seen) => expectRelation(seen, rel),
      };
    });
  return kindChecks('link', kind, rules, readAllLinks);
};

/** The node with an id. */
const nodeKind = (id: number): SeenKind => ({ ...seenKinds.node, find: () => ({ id, bundle: undefined }) });

const mediaOfNode = (kind: SeenKind): Check =>
  readingCheck({
    ...contractRule(`link.node.${kind.word}`, 'contract: Signposting, Media of a node'),
    rule: `The node of a ${kind.word} links to it as related, with the label of the use as the title.`,
    operations: ['getNode', kind.operation],
    run: async (context) => {
      const { record, path } = await readKind(context, kind);
      const nodes = valuesIn(record, 'field_media_of', 'target_id').filter((id) => typeof id === 'number');
      if (nodes.length === 0) throw new CheckSkip('The media has no node.');
      for (const id of nodes) {
        const { links, wanted } = await readLinks(context, nodeKind(id));
        const due = wanted.filter((link) => link.kind === 'media' && belowBase(context, link.target) === path);
        if (due.length === 0) throw new CheckSkip('The media has no use.');
        expectLinks(links, due);
      }
    },
  });

const mediaRules = ({ word }: SeenKind): readonly SeenRule<SeenLinks>[] => [
  {
    ...contractRule('node', 'contract: Signposting, Node of a media'),
    rule: `A ${word} links to its node as related, with the label of the field as the title.`,
    also: ['getNode'],
    expect: ({ links, wanted, bundle }) => {
      const due = linksNamed(wanted, 'related', { title: bundle.fields.get('field_media_of')?.label ?? '' });
      if (due.length === 0) throw new CheckSkip('The media has no node.');
      expectLinks(links, due);
    },
  },
  {
    ...contractRule('describes', 'contract: Signposting, Source file of a media'),
    rule: `A ${word} has one link of the relation describes, to the content of its file, with its MIME type.`,
    also: ['getFile'],
    expect: (seen) => expectRelation(seen, 'describes'),
  },
  {
    ...contractRule('edit-media', 'contract: Signposting, Edit source file; a real site'),
    rule: `A ${word} links to /media/{media_id}/source as edit-media, for those who may update media.`,
    also: ['putMediaSource'],
    expect: (seen) => expectRelation(seen, 'edit-media'),
  },
];

const onlyOwnMedia = readingCheck({
  ...contractRule('link.node.only-own-media', 'contract: Signposting, Media of a node'),
  rule: 'Every media that a node links to names this node as its own.',
  operations: ['getNode', 'getMedia'],
  run: async (context) => {
    const { links, id, wanted } = await readLinks(context, seenKinds.node);
    const references = wanted.filter(({ kind }) => kind === 'related').map(shownLink);
    for (const link of linksNamed(links, 'related')) {
      const [, media] = /^\/media\/(\d+)(?:\/edit)?$/.exec(belowBase(context, link.target) ?? '') ?? [];
      if (media === undefined || references.includes(shownLink(link))) continue;
      const path = recordPath(context, 'media', Number(media));
      const nodes = valuesIn(recordOf(await readOk(context, `${path}?_format=json`)), 'field_media_of', 'target_id');
      expectThat(nodes.includes(id), `${shownLink(link)} leads to a media of ${shown(nodes)}.`);
    }
  },
});

const platformOnly = (word: 'file' | 'term'): Check =>
  readingCheck({
    ...referenceRule(`link.${word}.platform-only`, 'a real site'),
    rule: `The links of a ${word} are those of the platform alone.`,
    operations: [seenKinds[word].operation],
    run: async (context) => {
      const { answer } = await readKind(context, seenKinds[word]);
      const other = answer.links.find(({ rel }) => ['related', 'tag', 'describes', 'edit-media'].includes(rel));
      expectThat(other === undefined, `It has ${other === undefined ? '' : shownLink(other)}.`);
    },
  });
