/** Checks the lists of a site: their rows, pages, parameters and links, and that they show only what may be seen. */
import { isRecord } from '../../../../basics/json.ts';
import { linksNamed } from '../../../../client/client.ts';
import type { Operation } from '../../../../repository/repository-engine.ts';
import { identityOf } from '../../../../repository/repository.ts';
import { pathShape, type RecordList } from '../../../../repository/repository-sites.ts';
import { anonymousAccount } from '../../../../exchange/exchange-target.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import {
  CheckFailure,
  CheckSkip,
  expectRefusal,
  expectRefusalThatSays,
  expectSame,
  expectStatus,
  expectThat,
  shown,
  type Answer,
} from '../../answer.ts';
import type { Check, CheckContext } from '../../check.ts';
import { numberIn, valuesIn, type JsonRecord } from '../../record-members.ts';
import { dealt } from '../../dealt.ts';
import { accountFor, readAddress, readOperation, readsOf } from './addresses.ts';
import { readOk, withQuery, orSkip } from './reading-check.ts';
import { belowBase, recordPath } from './seen-records.ts';
import { contractRule, referenceRule, adviceRule, checksOf, type Rule, type Topic } from '../../rule.ts';

export const listChecks = (contract: TargetContract): readonly Check[] =>
  contract.site.lists.flatMap((list, at, lists) => {
    const operation = readsOf(contract).find(({ path }) => pathShape(path) === pathShape(list.path));
    if (operation === undefined) return [];
    const hasPages = operation.queryNames.includes('page') && list.pageSize !== undefined;
    const isSized = operation.queryNames.includes('items_per_page');
    const share = dealt([...wrongPages, ...wrongSizes], at, lists.length);
    return checksOf(lookingAt(operation, list), [
      ...rules,
      ...(list.columns === undefined ? recordRules : []),
      ...(hasPages ? pageRules : []),
      ...(isSized ? sizeRules : []),
      ...share.filter((rule) => (wrongPages.includes(rule) ? hasPages : isSized)),
    ]);
  });

type Listed = {
  readonly operation: Operation;
  readonly list: RecordList;
  /** All rows of the first page. */
  readonly rows: readonly JsonRecord[];
  readonly answer: Answer;
  /** GET of the list with more in its query. */
  readonly get: (query: string) => Promise<Answer>;
};

type ListRule = Rule<Listed>;

const lookingAt = (operation: Operation, list: RecordList): Topic<Listed> => ({
  ...{ topic: `list.${operation.id}`, of: operation.path, operations: [operation.id] },
  see: async (context) => {
    const address = readAddress(context, operation);
    const answer = await readOperation(context, operation);
    const get = (query: string): Promise<Answer> =>
      context.ask({ path: withQuery(address, query), as: accountFor(context, operation) });
    return { operation, list, rows: rowsOf(answer), answer, get };
  },
});

/** Throws `CheckFailure` unless the body is a list of objects. */
const rowsOf = ({ json, text }: Answer): readonly JsonRecord[] => {
  if (Array.isArray(json) && json.every(isRecord)) return json;
  throw new CheckFailure(`The body is not a list of objects: ${shown(text)}.`);
};

/** Where the record in a row is read alone. */
const pathOf = (context: CheckContext, { entityType }: RecordList, row: JsonRecord): string =>
  `${recordPath(context, entityType, numberIn(row, identityOf(entityType).id))}?_format=json`;

const document = 'document: lists';

const rules: readonly ListRule[] = [
  contractRule('rows', document)(
    'A list is an array of objects, and has rows where there is something to list',
    ({ rows, operation }, { subjects }) => {
      if (operation.id === 'listNodeMedia' && subjects.media.size === 0) throw new CheckSkip('No media is known.');
      if (operation.id === 'listNodeMembers') orSkip(subjects.container, 'No node with members is known.');
      // Not every site has the term that is looked for.
      const mayBeEmpty = operation.id.startsWith('getTermFrom');
      expectThat(mayBeEmpty || rows.length > 0, 'The list is empty.');
    },
  ),
  contractRule('same-again', document)(
    'A list has the same rows in the same order each time',
    async ({ answer, get }) => expectSame((await get('')).text, answer.text, 'The second answer'),
  ),
  referenceRule('visitors', 'docs/use/differences.md: Who may ask for these lists')(
    'Visitors are answered a list of what they may see, or refused as the site says',
    async ({ operation, list }, context) => {
      const isGuarded = list.permissions.length > 0 || list.roles.length > 0;
      const isAllowed =
        list.roles.includes('anonymous') || list.permissions.some((name) => context.may(anonymousAccount, name));
      const answer = await context.ask({ path: readAddress(context, operation) });
      if (isGuarded && !isAllowed) {
        expectRefusal(answer, 401, 403);
        return;
      }
      const rows = rowsOf(expectStatus(answer, 200));
      for (const row of list.columns === undefined ? rows.slice(0, 8) : [])
        expectStatus(await context.ask({ path: pathOf(context, list, row) }), 200);
    },
  ),
];

const recordRules: readonly ListRule[] = [
  contractRule('records', document)(
    'Each row of a list is the record as it is read alone',
    async ({ rows, list }, context) => {
      for (const row of rows.slice(0, 5)) {
        const path = pathOf(context, list, row);
        expectSame((await readOk(context, path)).json, row, path);
      }
    },
  ),
  contractRule('argument', document)(
    'Each row has what the path or the query asks for',
    ({ rows, list, operation }, context) => {
      const path = readAddress(context, operation).replace(/\?.*$/, '').split('/');
      for (const { name, field } of list.arguments) {
        const asked = path[list.path.split('/').indexOf(`{${name}}`)];
        const property =
          field.property ?? (field.name === 'vid' || field.name.startsWith('field_') ? 'target_id' : 'value');
        const other = rows.find((row) => !valuesIn(row, field.name, property).some((value) => String(value) === asked));
        expectThat(
          other === undefined,
          `A row has not ${String(asked)} in ${field.name}, but ${shown(other?.[field.name])}.`,
        );
      }
    },
  ),
];

const wrongNumbers: readonly (readonly [name: string, text: string])[] = [
  ['negative', '-1'],
  ['nothing', ''],
  ['text', 'one'],
  ['list', '0,1'],
  ['fraction', '1.5'],
];

const wrongNumber =
  (parameter: string) =>
  ([name, text]: readonly [string, string]): ListRule =>
    adviceRule(
      `${parameter.replaceAll('_', '-')}-${name}`,
      'docs/use/differences.md: `?page=` of a list that is not a whole number',
    )(`${parameter}=${text} is refused with 400, and the message names the parameter`, async ({ get }) => {
      const answer = await get(`${parameter}=${encodeURIComponent(text)}`);
      expectRefusalThatSays(answer, 400, parameter);
    });

const pageRules: readonly ListRule[] = [
  contractRule('first-page', document)('page=0 is the list without a page', async ({ answer, get }) =>
    expectSame(expectStatus(await get('page=0'), 200).text, answer.text),
  ),
  contractRule('page-beyond', document)('A page behind the last one is an empty list', async ({ get }) =>
    expectSame(rowsOf(expectStatus(await get('page=9999'), 200)), []),
  ),
];

const wrongPages: readonly ListRule[] = wrongNumbers.map(wrongNumber('page'));

const sizeRules: readonly ListRule[] = [
  contractRule('page-size', document)('items_per_page=1 gives one row', async ({ rows, get }) => {
    const small = rowsOf(expectStatus(await get('items_per_page=1'), 200));
    expectSame(small.length, Math.min(1, rows.length), 'The number of rows');
  }),
  contractRule('pages-join', document)(
    'The pages of a list, followed by their next links, have every row once and in order',
    async ({ answer, rows, get }, context) => {
      if (linksNamed(answer.links, 'next').length > 0) throw new CheckSkip('The list has several pages anyway.');
      const size = Math.max(1, Math.ceil(rows.length / 4));
      const joined: JsonRecord[] = [];
      let page = expectStatus(await get(`items_per_page=${size}`), 200);
      for (let turn = 0; turn < 10; turn += 1) {
        joined.push(...rowsOf(page));
        const [next] = linksNamed(page.links, 'next');
        if (next === undefined) break;
        const path = belowBase(context, next.target);
        expectThat(path !== undefined, `The next page is ${next.target}.`);
        page = await readOk(context, path);
      }
      expectSame(joined, rows, 'What the pages have');
    },
  ),
  contractRule('page-links', document)(
    'A list of several pages links to the first, previous, next and last one',
    async ({ rows, get }) => {
      if (rows.length < 3) throw new CheckSkip('The list has fewer than three rows.');
      const { links } = expectStatus(await get('items_per_page=1&page=1'), 200);
      for (const rel of ['first', 'prev', 'next', 'last']) {
        expectThat(linksNamed(links, rel).length === 1, `There is no link to the ${rel} page.`);
      }
      const firstLinks = (await get('items_per_page=1')).links;
      expectThat(linksNamed(firstLinks, 'prev').length === 0, 'The first page links to a previous one.');
    },
  ),
];

const wrongSizes: readonly ListRule[] = [...wrongNumbers, ['zero', '0'] as const, ['too-large', '100000'] as const].map(
  wrongNumber('items_per_page'),
);
