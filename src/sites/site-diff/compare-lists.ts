/** Compares the lists that two sites have: who may ask, by which conditions and in which order records are found, how large pages are. */
import { areEqual } from '../../basics/equal-values.ts';
import { isGuarded, pathShape, type RecordList } from '../../repository/repository-sites.ts';
import { answers, type Difference, differencesOf, harmless, inBoth, listed, requests, without } from './difference.ts';

export const compareLists = (before: readonly RecordList[], after: readonly RecordList[]): readonly Difference[] => {
  const byShape = (lists: readonly RecordList[]): ReadonlyMap<string, RecordList> =>
    new Map(lists.map((list) => [pathShape(list.path), list]));
  return inBoth(byShape(before), byShape(after), (_shape, was, is) => [
    ...compareRequests(`list.${was.path}`, was, is),
    ...compareAnswers(`list.${was.path}`, was, is),
  ]);
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
  const needs = ({ parameters }: RecordList): readonly string[] =>
    parameters.flatMap(({ name, isRequired }) => (isRequired ? [name] : []));
  const needed = without(needs(is), needs(was));
  note(needed.length > 0, `is empty without ${listed(needed)} now`, answers);
  const choice = ({ largestPage }: RecordList): number => largestPage ?? 0;
  note(choice(is) < choice(was), 'has smaller pages to choose', requests);
  note(choice(is) > choice(was), 'has larger pages to choose', harmless);
  return found;
};

const compareAnswers = (subject: string, was: RecordList, is: RecordList): readonly Difference[] => {
  const { found, note } = differencesOf(subject);
  const forms = new Map(was.columns?.map((column) => [column.name, column]));
  const others = (is.columns ?? []).filter((column) => {
    const earlier = forms.get(column.name);
    return earlier !== undefined && !areEqual(earlier, column);
  });
  note(others.length > 0, `shows ${listed(others.map(({ name }) => name))} otherwise`, answers);
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
