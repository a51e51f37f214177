/** Checks what single lists and look-ups find: members, media, terms by name and address, checksums. */
import { createHash } from 'node:crypto';
import { isRecord } from '../../../../basics/json.ts';
import { anonymousAccount } from '../../../../exchange/accounts.ts';
import { CheckFailure, CheckSkip, deviation, expectStatus, expectThat, shown } from '../../answer.ts';
import { type Check, type CheckContext, contractRule } from '../../check.ts';
import { recordOf, valueIn, valuesIn, type JsonRecord } from '../../record-members.ts';
import type { RecordList } from '../../../../core/site/record-list.ts';
import { accountFor, modelVocabulary } from './addresses.ts';
import { fileOf, mediaOf, orSkip, readerOf, readingCheck, readOk } from './reading-check.ts';

export const lookupChecks = (): readonly Check[] => [
  ...ofNodes,
  ...termLookups.flatMap(({ operation, path, parameter }) => emptyLookups(operation, path, parameter)),
  ...ofTerms,
  ...checksums,
];

const rowsAt = async (context: CheckContext, operation: string, path: string): Promise<readonly JsonRecord[]> => {
  const found = context.judge.operations.find(({ id }) => id === operation);
  const as = found === undefined ? readerOf(context) : accountFor(context, found);
  const { json } = expectStatus(await context.ask({ path, as }), 200);
  return Array.isArray(json) ? json.filter(isRecord) : [];
};

const idsOf = (rows: readonly JsonRecord[], field: string): readonly unknown[] =>
  rows.map((row) => valueIn(row, field));

const lookup = (name: string, operation: string, rule: string, run: Check['run']): Check =>
  readingCheck({ ...contractRule(`lookup.${name}`, `document: ${operation}`), rule, operations: [operation], run });

const ofNodes: readonly Check[] = [
  lookup(
    'members',
    'listNodeMembers',
    'A node is among the members of the node that it is a member of.',
    async (context) => {
      const { container, node } = context.subjects;
      const id = orSkip(container, 'No node with members is known.').id;
      const ids = idsOf(await rowsAt(context, 'listNodeMembers', `/node/${id}/members?_format=json`), 'nid');
      expectThat(ids.includes(node.id), `The members are ${shown(ids)}, without ${node.id}.`);
      expectThat(new Set(ids).size === ids.length, 'A member is there twice.');
    },
  ),
  lookup('members-hide', 'listNodeMembers', 'Visitors find no unpublished node among members.', async (context) => {
    const hidden = orSkip(context.subjects.unpublished, 'No unpublished node is known.');
    for (const id of valuesIn(hidden.record, 'field_member_of', 'target_id')) {
      const answer = await context.ask({ path: `/node/${String(id)}/members?_format=json` });
      if (answer.status !== 200) continue;
      const ids = Array.isArray(answer.json) ? idsOf(answer.json.filter(isRecord), 'nid') : [];
      expectThat(!ids.includes(hidden.id), `Visitors see ${hidden.id} among the members of ${String(id)}.`);
    }
  }),
  lookup(
    'members-of-nothing',
    'listNodeMembers',
    'A node without members has an empty list of members.',
    async (context) => {
      const rows = await rowsAt(context, 'listNodeMembers', `/node/${context.subjects.node.id}/members?_format=json`);
      expectThat(
        rows.every((row) => valuesIn(row, 'field_member_of', 'target_id').includes(context.subjects.node.id)),
        'A row is not a member.',
      );
    },
  ),
  lookup(
    'media',
    'listNodeMedia',
    'A media is in the list of its node, and no media of another one.',
    async (context) => {
      const media = mediaOf(context);
      const [node] = valuesIn(media.record, 'field_media_of', 'target_id');
      if (typeof node !== 'number') throw new CheckSkip('The media has no node.');
      const rows = await rowsAt(context, 'listNodeMedia', `/node/${node}/media?_format=json`);
      expectThat(
        idsOf(rows, 'mid').includes(media.id),
        `The media are ${shown(idsOf(rows, 'mid'))}, without ${media.id}.`,
      );
      const other = rows.find((row) => !valuesIn(row, 'field_media_of', 'target_id').includes(node));
      expectThat(other === undefined, `A media of ${shown(other?.['field_media_of'])} is there.`);
    },
  ),
  lookup('media-hide', 'listNodeMedia', 'Who may not view media finds none in the list of a node.', async (context) => {
    const [node] = valuesIn(mediaOf(context).record, 'field_media_of', 'target_id');
    let asked = 0;
    for (const as of context.accounts) {
      if (as.roles === undefined || context.may(as, 'view media') || context.may(as, 'administer media')) continue;
      asked += 1;
      const answer = await context.ask({ path: `/node/${String(node)}/media?_format=json`, as });
      const isHidden = answer.status === 401 || answer.status === 403 || answer.text === '[]';
      expectThat(isHidden, `${as.name} sees ${shown(answer.text)}.`);
    }
    if (asked === 0) throw new CheckSkip('Everybody may view media.');
  }),
];

const termLookups = [
  { operation: 'getTermFromTermName', path: '/term_from_term_name', parameter: 'name' },
  { operation: 'getTermFromUri', path: '/term_from_uri', parameter: 'uri' },
  { operation: 'getTermFromAuthorityLink', path: '/term_from_authority_link', parameter: 'authority_link' },
  { operation: 'listTermsOfVocabulary', path: '/vocabulary', parameter: 'vid' },
] as const;

const parametersAt = ({ contract }: CheckContext, path: string): RecordList['parameters'] =>
  contract.site.lists.find((list) => list.path === path)?.parameters ?? [];

/** Some sites want a vocabulary, too, not the name alone. */
const vocabularyIfWanted = (context: CheckContext, path: string): string =>
  parametersAt(context, path).some(({ name, isRequired }) => name === 'vocab' && isRequired)
    ? `&vocab=${modelVocabulary(context)}`
    : '';

const oddTexts: readonly (readonly [name: string, text: string])[] = [
  ['unknown', 'nobody_knows_this'],
  ['pattern', '%'],
  ['quote', `' OR '1'='1`],
  ['long', 'x'.repeat(2000)],
  ['other-script', '海边'],
];

const emptyLookups = (operation: string, path: string, parameter: string): readonly Check[] => [
  lookup(
    `${parameter.replace('_', '-')}.missing`,
    operation,
    `${path} without ${parameter} finds nothing.`,
    async (context) => {
      const isPartOfAddress = parametersAt(context, path).some((one) => one.name === parameter && one.isPartOfAddress);
      if (isPartOfAddress) {
        expectStatus(await context.ask({ path: `${path}?_format=json`, as: readerOf(context) }), 404);
        return;
      }
      const rows = await rowsAt(context, operation, `${path}?_format=json`);
      expectThat(rows.length === 0, `It finds ${rows.length} terms.`);
    },
  ),
  ...oddTexts.map(([name, text]) =>
    lookup(
      `${parameter.replace('_', '-')}.${name}`,
      operation,
      `${path} finds nothing by what no term has (${name}).`,
      async (context) => {
        const query = `_format=json&${parameter}=${encodeURIComponent(text)}${vocabularyIfWanted(context, path)}`;
        const rows = await rowsAt(context, operation, `${path}?${query}`);
        expectThat(rows.length === 0, `It finds ${rows.length} terms.`);
      },
    ),
  ),
];

const modelTerm = async (context: CheckContext): Promise<JsonRecord> => {
  const id = orSkip(context.subjects.terms.model, 'No term is known.');
  return recordOf(await readOk(context, `/taxonomy/term/${id}?_format=json`));
};

const ofTerms: readonly Check[] = [
  lookup(
    'name.found',
    'getTermFromTermName',
    'A term is found by its name, and no term of another name.',
    async (context) => {
      const term = await modelTerm(context);
      const name = String(valueIn(term, 'name'));
      const path = `/term_from_term_name?_format=json&name=${encodeURIComponent(name)}`;
      const query = vocabularyIfWanted(context, '/term_from_term_name');
      const rows = await rowsAt(context, 'getTermFromTermName', path + query);
      expectThat(idsOf(rows, 'tid').includes(valueIn(term, 'tid')), `${name} finds ${shown(idsOf(rows, 'tid'))}.`);
      const other = rows.find((row) => String(valueIn(row, 'name')).toLowerCase() !== name.toLowerCase());
      expectThat(other === undefined, `${name} finds ${shown(other?.['name'])}.`);
    },
  ),
  lookup(
    'name.in-vocabulary',
    'getTermFromTermName',
    'A name and a vocabulary find only terms of that vocabulary.',
    async (context) => {
      const term = await modelTerm(context);
      const [name, vocabulary] = [String(valueIn(term, 'name')), modelVocabulary(context)];
      const path = `/term_from_term_name?_format=json&name=${encodeURIComponent(name)}&vocab=`;
      const rows = await rowsAt(context, 'getTermFromTermName', path + vocabulary);
      expectThat(idsOf(rows, 'tid').includes(valueIn(term, 'tid')), `${name} is not found in ${vocabulary}.`);
      const other = rows.find((row) => valueIn(row, 'vid', 'target_id') !== vocabulary);
      expectThat(other === undefined, `A term of ${shown(other?.['vid'])} is found.`);
      const none = await rowsAt(context, 'getTermFromTermName', `${path}nobody_knows_this`);
      expectThat(none.length === 0, 'A vocabulary that does not exist has terms.');
    },
  ),
  lookup('uri.found', 'getTermFromUri', 'A term is found by its external URI.', async (context) => {
    const term = await modelTerm(context);
    const uri = valueIn(term, 'field_external_uri', 'uri');
    if (typeof uri !== 'string') throw new CheckSkip('The term has no external URI.');
    const rows = await rowsAt(context, 'getTermFromUri', `/term_from_uri?_format=json&uri=${encodeURIComponent(uri)}`);
    expectThat(idsOf(rows, 'tid').includes(valueIn(term, 'tid')), `${uri} finds ${shown(idsOf(rows, 'tid'))}.`);
    const other = rows.find((row) => !JSON.stringify(row).includes(JSON.stringify(uri).slice(1, -1)));
    expectThat(other === undefined, `${uri} finds the term ${shown(valueIn(other ?? {}, 'name'))}.`);
  }),
  lookup('vid.found', 'listTermsOfVocabulary', 'A vocabulary has its terms, and no others.', async (context) => {
    const vocabulary = modelVocabulary(context);
    const rows = await rowsAt(context, 'listTermsOfVocabulary', `/vocabulary?_format=json&vid=${vocabulary}`);
    expectThat(idsOf(rows, 'tid').includes(context.subjects.terms.model), `It has ${shown(idsOf(rows, 'tid'))}.`);
    const other = rows.find((row) => valueIn(row, 'vid', 'target_id') !== vocabulary);
    expectThat(other === undefined, `A term of ${shown(other?.['vid'])} is there.`);
  }),
];

const checksums: readonly Check[] = [
  lookup('checksum.hash', 'getChecksum', 'The checksum of a file is the SHA-1 of its content.', async (context) => {
    const file = fileOf(context);
    const content = await readOk(context, file.content);
    if (!content.exchange.reply.body.isWhole) throw new CheckSkip('The file is too large to compare.');
    const own = createHash('sha1').update(content.bytes).digest('hex');
    const path = `/checksum/${file.id}?_format=json`;
    const rows = await rowsAt(context, 'getChecksum', path);
    const answered = rows.length === 1 ? rows[0]?.['sha1'] : undefined;
    if (answered === own) return;
    throw new CheckFailure(`It is ${own}, and the answer ${shown(rows)}.`, [
      deviation(await readOk(context, path), '/body/0/sha1', answered, own),
    ]);
  }),
  lookup(
    'checksum.absent',
    'getChecksum',
    'The checksum of a file that does not exist is an empty list.',
    async (context) => {
      const rows = await rowsAt(context, 'getChecksum', `/checksum/${context.subjects.absentId}?_format=json`);
      expectThat(rows.length === 0, `It is ${shown(rows)}.`);
    },
  ),
  lookup('checksum.hidden', 'getChecksum', 'Who may not view a file gets no checksum of it.', async (context) => {
    const file = fileOf(context);
    const record = await context.ask({ path: `/entity/file/${file.id}?_format=json`, as: anonymousAccount });
    const answer = await context.ask({ path: `/checksum/${file.id}?_format=json`, as: anonymousAccount });
    const isEmpty = answer.status !== 200 || answer.text === '[]';
    expectThat(
      isEmpty === (record.status !== 200),
      `The file is ${record.status} for visitors, and the checksum ${shown(answer.text)}.`,
    );
  }),
];
