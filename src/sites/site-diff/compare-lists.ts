/** Compares the lists of two sites: paths, conditions, records or columns, pages, guards. */
import { areEqual } from '../../basics/equal-values.ts';
import { isGuarded, pathShape, type RecordList } from '../../core/site/record-list.ts';
import {
  answers,
  both,
  byName,
  differencesOf,
  harmless,
  listed,
  requests,
  without,
  type Difference,
} from './difference.ts';

export const compareLists = (before: readonly RecordList[], after: readonly RecordList[]): readonly Difference[] => {
  const byShape = (lists: readonly RecordList[]): ReadonlyMap<string, RecordList> =>
    new Map(lists.map((list) => [pathShape(list.path), list]));
  return byName(byShape(before), byShape(after), (_shape, was, is) => {
    const subject = `list.${(was ?? is)?.path ?? ''}`;
    if (was === undefined) return [{ subject, change: 'is new', breaks: harmless }];
    if (is === undefined) return [{ subject, change: 'is gone (404)', breaks: requests }];
    return [...compareRequests(subject, was, is), ...compareAnswers(subject, was, is)];
  });
};

const compareRequests = (subject: string, was: RecordList, is: RecordList): readonly Difference[] => {
  const { found, note } = differencesOf(subject);
  const guards = ({ permissions, roles }: RecordList): readonly string[] => [...permissions, ...roles];
  const isSameGuard = areEqual(guards(was), guards(is));
  const now = `is for those with ${listed(guards(is))} now`;
  // One of several is enough: more of them let more people in, unless there were none.
  const isWider = isGuarded(was) && without(guards(was), guards(is)).length === 0;
  note(!isSameGuard && isGuarded(is), now, isWider ? harmless : requests);
  note(!isSameGuard && !isGuarded(is), 'is for everybody now', harmless);
  const names = ({ parameters }: RecordList): readonly string[] => parameters.map(({ name }) => name);
  const [fewer, more] = [without(names(was), names(is)), without(names(is), names(was))];
  note(fewer.length > 0, `does not look at ${listed(fewer)} any more`, both);
  note(more.length > 0, `looks at ${listed(more)} now`, harmless);
  const needs = ({ parameters }: RecordList): readonly string[] =>
    parameters.flatMap(({ name, isRequired }) => (isRequired ? [name] : []));
  const needed = without(needs(is), needs(was));
  note(needed.length > 0, `is empty without ${listed(needed)} now`, answers);
  const formats = without(was.formats, is.formats);
  note(formats.length > 0, `does not have the format ${listed(formats)} any more (406)`, requests);
  const newFormats = without(is.formats, was.formats);
  note(newFormats.length > 0, `has the format ${listed(newFormats)} now`, harmless);
  const providers = without(was.providers, is.providers);
  note(providers.length > 0, `does not take ${listed(providers)} any more (403)`, requests);
  const newProviders = without(is.providers, was.providers);
  note(newProviders.length > 0, `takes ${listed(newProviders)} now`, harmless);
  const choice = ({ largestPage }: RecordList): number => largestPage ?? 0;
  note(choice(is) < choice(was), 'has smaller pages to choose', requests);
  note(choice(is) > choice(was), 'has larger pages to choose', harmless);
  return found;
};

const compareAnswers = (subject: string, was: RecordList, is: RecordList): readonly Difference[] => {
  const { found, note } = differencesOf(subject);
  const shape = ({ entityType, columns }: RecordList): string =>
    columns === undefined ? `whole records of type ${entityType}` : `rows of chosen fields of type ${entityType}`;
  note(shape(was) !== shape(is), `has ${shape(is)} instead of ${shape(was)}`, answers);
  if (was.columns !== undefined && is.columns !== undefined) {
    const names = ({ columns = [] }: RecordList): readonly string[] => columns.map(({ name }) => name);
    const forms = new Map(was.columns.map((column) => [column.name, column]));
    const [fewer, more] = [without(names(was), names(is)), without(names(is), names(was))];
    note(fewer.length > 0, `has lost ${listed(fewer)}`, answers);
    note(more.length > 0, `has gained ${listed(more)}`, harmless);
    const others = is.columns.filter((column) => forms.has(column.name) && !areEqual(forms.get(column.name), column));
    note(others.length > 0, `shows ${listed(others.map(({ name }) => name))} otherwise`, answers);
  }
  const conditions = ({ arguments: given, parameters, tests, limit }: RecordList): unknown => [
    given.map(({ field }) => field),
    parameters.map(({ name, field, isNegated }) => [name, field, isNegated]),
    ...[tests, limit],
  ];
  const isSameParameters = was.parameters.length === is.parameters.length;
  note(isSameParameters && !areEqual(conditions(was), conditions(is)), 'has other conditions', answers);
  note(!areEqual(was.order, is.order), 'has another order', answers);
  const size = ({ pageSize }: RecordList): string => String(pageSize ?? 'all');
  note(size(was) !== size(is), `has pages of ${size(is)} instead of ${size(was)}`, answers);
  return found;
};
