/** Checks the links that only some records have: of the platform, of a node to its media, of a media to its node and file. */
import { linksNamed } from '../../../../client/client.ts';
import { platformLinks } from '../../../../repository/repository-content.ts';
import type { Site } from '../../../../repository/repository.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { CheckSkip, expectThat, shown } from '../../answer.ts';
import type { Check } from '../../check.ts';
import { recordOf, valuesIn } from '../../record-members.ts';
import { expectLinks, expectRelation, readAllLinks, readLinks, shownLink, type SeenLinks } from './read-links.ts';
import { readOk } from '../reading/reading-check.ts';
import {
  allKinds,
  belowBase,
  readKind,
  recordPath,
  seenKinds,
  type SeenKind,
  recordsOf,
} from '../reading/seen-records.ts';
import { contractRule, referenceRule, checksOf, checksThatRead, type Rule } from '../../rule.ts';

export const linkByKindChecks = ({ site }: TargetContract): readonly Check[] => {
  const media = allKinds(site).filter(({ type }) => type === 'media');
  return [
    ...(site.platformLinks ? Object.values(seenKinds).flatMap((kind) => platformChecks(site, kind)) : []),
    ...media.flatMap((kind) => checksOf(recordsOf('link', kind, readLinks), mediaRules(kind))),
    ...checksThatRead([...media.map(mediaOfNode), onlyOwnMedia, platformOnly('file'), platformOnly('term')]),
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
    .map(({ rel, target }): Rule<SeenLinks> => {
      const name = `platform-${rel.replace(/^.*\//, '')}`;
      const row = isOfContract
        ? contractRule(name, 'contract: Signposting, platform relations')
        : referenceRule(name, 'a real site');
      const to = target.replaceAll(String(anyId), '{id}');
      return row(`A ${kind.word} has one link of the platform's relation ${rel}, to ${to}.`, (seen) =>
        expectRelation(seen, rel),
      );
    });
  return checksOf(recordsOf('link', kind, readAllLinks), rules);
};

/** The node with an id. */
const nodeKind = (id: number): SeenKind => ({ ...seenKinds.node, find: () => ({ id, bundle: undefined }) });

const mediaOfNode = (kind: SeenKind): Rule =>
  contractRule(`link.node.${kind.word}`, 'contract: Signposting, Media of a node')(
    `The node of a ${kind.word} links to it as related, with the label of the use as the title.`,
    async (context) => {
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
    { also: ['getNode', kind.operation] },
  );

const mediaRules = ({ word }: SeenKind): readonly Rule<SeenLinks>[] => [
  contractRule('node', 'contract: Signposting, Node of a media')(
    `A ${word} links to its node as related, with the label of the field as the title.`,
    ({ links, wanted, bundle }) => {
      const due = linksNamed(wanted, 'related', { title: bundle.fields.get('field_media_of')?.label ?? '' });
      if (due.length === 0) throw new CheckSkip('The media has no node.');
      expectLinks(links, due);
    },
    { also: ['getNode'] },
  ),
  contractRule('describes', 'contract: Signposting, Source file of a media')(
    `A ${word} has one link of the relation describes, to the content of its file, with its MIME type.`,
    (seen) => expectRelation(seen, 'describes'),
    { also: ['getFile'] },
  ),
  contractRule('edit-media', 'contract: Signposting, Edit source file; a real site')(
    `A ${word} links to /media/{media_id}/source as edit-media, for those who may update media.`,
    (seen) => expectRelation(seen, 'edit-media'),
    { also: ['putMediaSource'] },
  ),
];

const onlyOwnMedia = contractRule('link.node.only-own-media', 'contract: Signposting, Media of a node')(
  'Every media that a node links to names this node as its own.',
  async (context) => {
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
  { also: ['getNode', 'getMedia'] },
);

const platformOnly = (word: 'file' | 'term'): Rule =>
  referenceRule(`link.${word}.platform-only`, 'a real site')(
    `The links of a ${word} are those of the platform alone.`,
    async (context) => {
      const { answer } = await readKind(context, seenKinds[word]);
      const other = answer.links.find(({ rel }) => ['related', 'tag', 'describes', 'edit-media'].includes(rel));
      expectThat(other === undefined, `It has ${other === undefined ? '' : shownLink(other)}.`);
    },
    { also: [seenKinds[word].operation] },
  );
