/** Checks what single lists and look-ups find: members, media, terms by name and address, checksums. */
import { createHash } from 'node:crypto';
import { isRecord } from '../../../../basics/json.ts';
import { CheckFailure, CheckSkip, deviation, expectSame, expectStatus, expectThat, shown } from '../../answer.ts';
import type { Check, CheckContext } from '../../check.ts';
import { recordOf, valueIn, valuesIn, type JsonRecord } from '../../record-members.ts';
import type { RecordList } from '../../../../repository/repository-sites.ts';
import { accountFor, modelVocabulary } from './addresses.ts';
import { addressWith, fileOf, mediaOf, orSkip, readerOf, readOk } from './reading-check.ts';
import { contractRule, checksThatRead, type Rule } from '../../rule.ts';

/** The rows at an address, as who may ask for it. */
type Find = (path: string) => Promise<readonly JsonRecord[]>;

const lookup =
  (name: string, operation: string) =>
  (rule: string, expect: (find: Find, context: CheckContext) => unknown): Rule =>
    contractRule(`lookup.${name}`, `document: ${operation}`)(
      rule,
      async (context) => {
        const found = context.judge.operations.find(({ id }) => id === operation);
        const as = found === undefined ? readerOf(context) : accountFor(context, found);
        return expect(async (path) => rowsIn(expectStatus(await context.ask({ path, as }), 200).json), context);
      },
      { also: [operation] },
    );

const rowsIn = (json: unknown): readonly JsonRecord[] => (Array.isArray(json) ? json.filter(isRecord) : []);

const idsOf = (rows: readonly JsonRecord[], field: string): readonly unknown[] =>
  rows.map((row) => valueIn(row, field));

const expectFound = (rows: readonly JsonRecord[], field: string, id: unknown): void =>
  expectThat(idsOf(rows, field).includes(id), `It finds ${shown(idsOf(rows, field))}, without ${shown(id)}.`);

const expectNothing = (rows: readonly JsonRecord[]): void => expectSame(rows.length, 0, 'The number of rows');

/** Throws unless every row is one of those that were asked for. */
const expectOnly = (rows: readonly JsonRecord[], isAsked: (row: JsonRecord) => boolean): void => {
  const other = rows.find((row) => !isAsked(row));
  expectThat(other === undefined, `It finds another one, too: ${shown(other)}.`);
};

const ofNodes: readonly Rule[] = [
  lookup('members', 'listNodeMembers')(
    'A node is among the members of the node that it is a member of.',
    async (find, { subjects: { container, node } }) => {
      const { id } = orSkip(container, 'No node with members is known.');
      const rows = await find(`/node/${id}/members?_format=json`);
      expectFound(rows, 'nid', node.id);
      expectSame(new Set(idsOf(rows, 'nid')).size, rows.length, 'The number of different members');
    },
  ),
  lookup('members-of-nothing', 'listNodeMembers')(
    'A node without members has an empty list of members.',
    async (find, context) =>
      expectOnly(await find(addressWith(context, '/node/{node}/members?_format=json')), (row) =>
        valuesIn(row, 'field_member_of', 'target_id').includes(context.subjects.node.id),
      ),
  ),
  lookup('media', 'listNodeMedia')(
    'A media is in the list of its node, and no media of another one.',
    async (find, context) => {
      const media = mediaOf(context);
      const [node] = valuesIn(media.record, 'field_media_of', 'target_id');
      if (typeof node !== 'number') throw new CheckSkip('The media has no node.');
      const rows = await find(`/node/${node}/media?_format=json`);
      expectFound(rows, 'mid', media.id);
      expectOnly(rows, (row) => valuesIn(row, 'field_media_of', 'target_id').includes(node));
    },
  ),
  lookup('media-hide', 'listNodeMedia')(
    'Who may not view media finds none in the list of a node.',
    async (_find, context) => {
      const { accounts, may, ask } = context;
      const [node] = valuesIn(mediaOf(context).record, 'field_media_of', 'target_id');
      const others = accounts.filter((as) => !may(as, 'view media') && !may(as, 'administer media'));
      if (others.length === 0) throw new CheckSkip('Everybody may view media.');
      for (const as of others) {
        const { status, text } = await ask({ path: `/node/${String(node)}/media?_format=json`, as });
        expectThat(status === 401 || status === 403 || text === '[]', `${as.name} sees ${shown(text)}.`);
      }
    },
  ),
];

const termLookups: readonly (readonly [operation: string, path: string, parameter: string])[] = [
  ['getTermFromTermName', '/term_from_term_name', 'name'],
  ['getTermFromUri', '/term_from_uri', 'uri'],
  ['getTermFromAuthorityLink', '/term_from_authority_link', 'authority_link'],
  ['listTermsOfVocabulary', '/vocabulary', 'vid'],
];

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

const emptyLookups = ([operation, path, parameter]: (typeof termLookups)[number]): readonly Rule[] => {
  const topic = parameter.replace('_', '-');
  return [
    lookup(`${topic}.missing`, operation)(`${path} without ${parameter} finds nothing.`, async (find, context) => {
      const address = `${path}?_format=json`;
      const own = parametersAt(context, path).find(({ name }) => name === parameter);
      if (own?.isPartOfAddress !== true) expectNothing(await find(address));
      else expectStatus(await context.ask({ path: address, as: readerOf(context) }), 404);
    }),
    ...oddTexts.map(([name, text]) =>
      lookup(`${topic}.${name}`, operation)(
        `${path} finds nothing by what no term has (${name}).`,
        async (find, context) => {
          const query = `${parameter}=${encodeURIComponent(text)}${vocabularyIfWanted(context, path)}`;
          expectNothing(await find(`${path}?_format=json&${query}`));
        },
      ),
    ),
  ];
};

const modelTerm = async (context: CheckContext): Promise<JsonRecord> =>
  recordOf(await readOk(context, addressWith(context, '/taxonomy/term/{term}?_format=json')));

/** The look-up of a term by its name, without and with a vocabulary. */
const byName = (term: JsonRecord) => {
  const name = String(valueIn(term, 'name'));
  return { name, path: `/term_from_term_name?_format=json&name=${encodeURIComponent(name)}` };
};

const ofTerms: readonly Rule[] = [
  lookup('name.found', 'getTermFromTermName')(
    'A term is found by its name, and no term of another name.',
    async (find, context) => {
      const term = await modelTerm(context);
      const { name, path } = byName(term);
      const rows = await find(path + vocabularyIfWanted(context, '/term_from_term_name'));
      expectFound(rows, 'tid', valueIn(term, 'tid'));
      expectOnly(rows, (row) => String(valueIn(row, 'name')).toLowerCase() === name.toLowerCase());
    },
  ),
  lookup('name.in-vocabulary', 'getTermFromTermName')(
    'A name and a vocabulary find only terms of that vocabulary.',
    async (find, context) => {
      const term = await modelTerm(context);
      const { path } = byName(term);
      const rows = await find(`${path}&vocab=${modelVocabulary(context)}`);
      expectFound(rows, 'tid', valueIn(term, 'tid'));
      expectOnly(rows, (row) => valueIn(row, 'vid', 'target_id') === modelVocabulary(context));
      expectNothing(await find(`${path}&vocab=nobody_knows_this`));
    },
  ),
  lookup('uri.found', 'getTermFromUri')('A term is found by its external URI.', async (find, context) => {
    const term = await modelTerm(context);
    const uri = valueIn(term, 'field_external_uri', 'uri');
    if (typeof uri !== 'string') throw new CheckSkip('The term has no external URI.');
    const rows = await find(`/term_from_uri?_format=json&uri=${encodeURIComponent(uri)}`);
    expectFound(rows, 'tid', valueIn(term, 'tid'));
    expectOnly(rows, (row) => JSON.stringify(row).includes(JSON.stringify(uri).slice(1, -1)));
  }),
  lookup('vid.found', 'listTermsOfVocabulary')('A vocabulary has its terms, and no others.', async (find, context) => {
    const vocabulary = modelVocabulary(context);
    const rows = await find(`/vocabulary?_format=json&vid=${vocabulary}`);
    expectFound(rows, 'tid', context.subjects.terms.model);
    expectOnly(rows, (row) => valueIn(row, 'vid', 'target_id') === vocabulary);
  }),
];

const checksums: readonly Rule[] = [
  lookup('checksum.hash', 'getChecksum')(
    'The checksum of a file is the SHA-1 of its content.',
    async (find, context) => {
      const file = fileOf(context);
      const content = await readOk(context, file.content);
      if (!content.exchange.reply.body.isWhole) throw new CheckSkip('The file is too large to compare.');
      const own = createHash('sha1').update(content.bytes).digest('hex');
      const path = `/checksum/${file.id}?_format=json`;
      const rows = await find(path);
      const answered = rows.length === 1 ? rows[0]?.['sha1'] : undefined;
      if (answered === own) return;
      throw new CheckFailure(`It is ${own}, and the answer ${shown(rows)}.`, [
        deviation(await readOk(context, path), '/body/0/sha1', answered, own),
      ]);
    },
  ),
  lookup('checksum.absent', 'getChecksum')(
    'The checksum of a file that does not exist is an empty list.',
    async (find, context) => expectNothing(await find(addressWith(context, '/checksum/{absent}?_format=json'))),
  ),
  lookup('checksum.hidden', 'getChecksum')(
    'Who may not view a file gets no checksum of it.',
    async (_find, context) => {
      const record = await context.ask({ path: addressWith(context, '/entity/file/{file}?_format=json') });
      const { status, text } = await context.ask({ path: addressWith(context, '/checksum/{file}?_format=json') });
      expectSame(status !== 200 || text === '[]', record.status !== 200, 'That visitors get no checksum');
    },
  ),
];

export const lookupChecks = (): readonly Check[] =>
  checksThatRead([...ofNodes, ...termLookups.flatMap(emptyLookups), ...ofTerms, ...checksums]);
