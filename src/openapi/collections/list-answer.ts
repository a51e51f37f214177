/** Writes a page of a list as its document describes it: a list, or an object with one; counts, addresses and cursors by their names. */
import { isRecord } from '../../basics/json.ts';
import { type MakeAnswer } from '../answers/answer.ts';
import { type EngineRequest, type HeaderValues, headerLine } from '../exchange.ts';
import type { Outline } from '../schemas/outline.ts';
import type { Schemas } from '../schemas/schemas.ts';
import { setOwn } from '../schemas/values.ts';
import type { CollectionRecord } from './collection-store.ts';
import { cursorAfter, type Page } from './list-records.ts';
import { type ListRole, roleOfHeader, roleOfMember } from './names.ts';
import type { CollectionPlan, ListPlan } from './plan.ts';
import { requiredIn } from '../schemas/required-members.ts';
import type { Shape } from './shaped-body.ts';

export type ListOptions = {
  readonly schemas: Schemas;
  readonly outline: (schema: unknown) => Outline;
  readonly answers: Pick<MakeAnswer, 'valueOf' | 'headersOf'>;
  readonly shape: Shape;
};

export type ListRequest = {
  readonly plan: CollectionPlan;
  readonly list: ListPlan;
  readonly page: Page;
  readonly request: EngineRequest;
  /** Where clients reach the server, without a slash at the end. */
  readonly baseUrl: string;
  readonly query: Readonly<Record<string, unknown>>;
};

export type ListAnswer = { readonly value: unknown; readonly headers: HeaderValues };

export const createListAnswer = (options: ListOptions): ((asked: ListRequest) => ListAnswer) => {
  const envelope = envelopeWriter(options);
  const items = itemsMaker(options);
  return (asked) => {
    const { list } = asked;
    const facts = factsOf(asked);
    const records = items(asked);
    const value = list.items === undefined ? records : envelope(list, records, facts);
    return { value, headers: headersOf(list, facts, options) };
  };
};

/** A record has the same form in each list of its array. */
const itemsMaker = ({ shape }: ListOptions): ((asked: ListRequest) => unknown[]) => {
  const forms = new WeakMap<ListPlan, WeakMap<CollectionRecord, { readonly value: unknown }>>();
  return ({ plan, list, page }) => {
    const known = forms.get(list) ?? new WeakMap<CollectionRecord, { readonly value: unknown }>();
    forms.set(list, known);
    return page.records.map((record) => {
      const form = known.get(record) ?? { value: shape.shaped(record.value, list.itemSchema, plan) ?? record.value };
      known.set(record, form);
      return form.value;
    });
  };
};

/** The facts of a page by their roles. Undefined: there is no such page. */
type Facts = Readonly<Partial<Record<ListRole, string | number | boolean>>> & {
  readonly addresses: Readonly<Partial<Record<'first' | 'previous' | 'next' | 'last', string>>>;
};

const factsOf = ({ list, page, request, baseUrl, query }: ListRequest): Facts => {
  const { total, offset, limit } = page;
  const { query: plan } = list;
  const end = offset + page.records.length;
  const hasNext = end < total && page.records.length > 0;
  const hasPages = Number.isFinite(limit);
  const first = plan.page?.first ?? 1;
  const pages = hasPages && limit > 0 ? Math.ceil(total / limit) : 1;
  const number = (hasPages && limit > 0 ? Math.floor(offset / limit) : 0) + first;
  const cursor = hasNext ? cursorAfter(page) : undefined;
  const addressOf = (at: number): string | undefined => {
    const changed = placeOf(at, { list, page, cursor, first });
    return changed === undefined ? undefined : address(request, baseUrl, changed);
  };
  const next = hasNext ? addressOf(end) : undefined;
  const previous = offset > 0 && hasPages ? addressOf(Math.max(0, offset - limit)) : undefined;
  const addresses = {
    ...(hasPages && plan.cursor === undefined ? { first: addressOf(0) } : {}),
    ...{ previous, next },
    ...(hasPages && plan.cursor === undefined && limit > 0 ? { last: addressOf(Math.max(0, pages - 1) * limit) } : {}),
  };
  const known = Object.fromEntries(Object.entries(addresses).filter(([, value]) => value !== undefined));
  return {
    ...{ total, pages, page: number, offset, limit: hasPages ? limit : total },
    ...{ hasNext, hasPrevious: offset > 0, self: address(request, baseUrl, {}) },
    ...(cursor === undefined ? {} : { nextCursor: cursor }),
    ...{ ...known, addresses: known },
    ...(query[plan.limit ?? ''] === undefined ? {} : { limit: Number(query[plan.limit ?? '']) }),
  };
};

type Placing = {
  readonly list: ListPlan;
  readonly page: Page;
  readonly cursor: string | undefined;
  readonly first: number;
};

/** The parameters of the page that begins at a record. Undefined where no parameter can say it. */
const placeOf = (at: number, { list, page, cursor, first }: Placing): Readonly<Record<string, string>> | undefined => {
  const { cursor: cursorName, offset, page: pageName } = list.query;
  if (cursorName !== undefined) return cursor === undefined || at < page.offset ? undefined : { [cursorName]: cursor };
  if (offset !== undefined) return { [offset]: String(at) };
  return pageName === undefined || page.limit <= 0
    ? undefined
    : { [pageName.parameter]: String(Math.floor(at / page.limit) + first) };
};

const address = (
  { path, query }: Pick<EngineRequest, 'path' | 'query'>,
  baseUrl: string,
  changed: Readonly<Record<string, string>>,
): string => {
  const parameters = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changed)) parameters.set(name, value);
  const text = parameters.toString();
  return `${baseUrl}${path}${text === '' ? '' : `?${text}`}`;
};

const mostLevels = 3;

/** The example of the list, with its records and the facts of the page. */
const envelopeWriter = ({ schemas, outline, answers }: ListOptions) => {
  const examples = new WeakMap<ListPlan, unknown>();
  const exampleOf = (list: ListPlan): unknown => {
    if (!examples.has(list)) examples.set(list, answers.valueOf(list.media));
    return examples.get(list);
  };
  const filled = (schema: unknown, example: unknown, facts: Facts, level: number): Record<string, unknown> => {
    const { names, member } = outline(schema);
    const given = isRecord(example) ? example : {};
    const made: Record<string, unknown> = {};
    for (const name of new Set([...names, ...Object.keys(given)])) {
      const inner = outline(member(name));
      const role = roleOfMember(name);
      const isObject = inner.types.has('object') || (inner.types.size === 0 && isRecord(given[name]));
      if (role !== undefined && isAddress(role) && isObject && inner.names.includes('href')) {
        const link = facts.addresses[role];
        if (link !== undefined) setOwn(made, name, { ...(isRecord(given[name]) ? given[name] : {}), href: link });
      } else if (isObject && level < mostLevels && (names.includes(name) || isRecord(given[name])))
        setOwn(made, name, filled(member(name), given[name], facts, level + 1));
      else if (role === undefined) {
        if (Object.hasOwn(given, name)) setOwn(made, name, given[name]);
      } else {
        const value = typed(factFor(role, inner, facts), inner);
        if (value !== undefined) setOwn(made, name, value);
        else if (inner.types.has('null')) setOwn(made, name, null);
        else if (requiredIn(schema, schemas).has(name)) setOwn(made, name, inner.types.has('string') ? '' : 0);
      }
    }
    return made;
  };
  return (list: ListPlan, records: unknown[], facts: Facts): unknown => {
    const whole = filled(list.media.schema, exampleOf(list), facts, 0);
    setOwn(whole, list.items ?? '', records);
    return whole;
  };
};

const isAddress = (role: ListRole): role is 'first' | 'previous' | 'next' | 'last' =>
  role === 'first' || role === 'previous' || role === 'next' || role === 'last';

/** `next` may be the number of a page. */
const factFor = (role: ListRole, { types }: Outline, facts: Facts): unknown => {
  const isNumber = types.has('integer') && !types.has('string');
  if (!isAddress(role) || !isNumber) return facts[role];
  if (facts.addresses[role] === undefined) return undefined;
  const page = Number(facts.page);
  const step = { next: page + 1, previous: page - 1, first: undefined, last: undefined }[role];
  return step ?? (role === 'first' ? page - Math.floor(Number(facts.offset) / Number(facts.limit)) : facts.pages);
};

/** Undefined where the member has another type. */
const typed = (value: unknown, { types }: Outline): unknown => {
  if (value === undefined || types.size === 0) return value;
  if (typeof value === 'number')
    return types.has('integer') || types.has('number') ? value : types.has('string') ? String(value) : undefined;
  if (typeof value === 'boolean') return types.has('boolean') ? value : undefined;
  return types.has('string') ? value : undefined;
};

/** Whole numbers without an exponent, however large. */
const factText = (fact: string | number | boolean | undefined): string =>
  typeof fact === 'number' && Number.isInteger(fact) ? BigInt(fact).toString() : String(fact);

/** Headers with counts and `Link` (RFC 8288 §3) where they are documented; the others as in their examples. */
const headersOf = ({ response }: ListPlan, facts: Facts, { answers }: ListOptions): HeaderValues => {
  const headers: Record<string, string | readonly string[]> = { ...answers.headersOf(response) };
  for (const { name } of response.headers) {
    if (name.toLowerCase() === 'link') {
      const links = Object.entries(facts.addresses).map(
        ([role, target]) => `<${target}>; rel="${role === 'previous' ? 'prev' : role}"`,
      );
      if (links.length > 0) headers[name] = headerLine(links.join(', '));
      else Reflect.deleteProperty(headers, name);
      continue;
    }
    const role = roleOfHeader(name);
    if (role !== undefined && facts[role] !== undefined) headers[name] = headerLine(factText(facts[role]));
  }
  return headers;
};
