/** Compares the answers of an operation: statuses, media types, headers, links. */
import { partOf, type Part } from '../../core/document/document-tree.ts';
import { contentLosses } from './compare-contents.ts';
import { linkLosses, relationLosses } from './compare-links.ts';
import { responseExtensionLosses } from './compare-extensions.ts';
import { schemaLosses } from './schemas/compare-schemas.ts';
import type { DocumentOperation } from './document-reader.ts';
import { earlier, finding, within, type Finding, type Pass, type Place } from './finding.ts';

export const answerLosses = (
  pass: Pass,
  before: DocumentOperation,
  after: DocumentOperation,
  place: Place,
): Finding[] => {
  const [had, has] = [partOf(before.part['responses']), partOf(after.part['responses'])];
  const hasChoice = [before, after].some(choosesFormat);
  return Object.entries(had).flatMap(([status, value]) => {
    const kept = answerFor(has, status);
    if (kept === undefined)
      return [finding(isRefusal(status) ? 'answer' : 'success', within(place, `answer ${status}`))];
    return keptLosses(pass, pass.before.part(value), pass.after.part(kept), within(place, status), hasChoice);
  });
};

/** The answer of a status: its own, or that of its class, or the one for all others. */
const answerFor = (answers: Part, status: string): unknown =>
  answers[status] ?? answers[`${status.charAt(0)}XX`] ?? answers['default'];

const isRefusal = (status: string): boolean => /^[45]/.test(status);

const choosesFormat = ({ parameters }: DocumentOperation): boolean =>
  parameters.some((parameter) => parameter['in'] === 'query' && parameter['name'] === '_format');

const keptLosses = (pass: Pass, before: Part, after: Part, place: Place, hasChoice: boolean): Finding[] => [
  ...contentLosses(
    pass,
    'received',
    before['content'],
    after['content'],
    place,
    hasChoice ? 'answer-type' : 'answer-type-unasked',
  ),
  ...headerLosses(pass, partOf(before['headers']), partOf(after['headers']), place),
  ...linkLosses(pass, partOf(before['links']), partOf(after['links']), place),
  ...responseExtensionLosses(before, after, place),
];

const headerLosses = (pass: Pass, before: Part, after: Part, place: Place): Finding[] => {
  const has = new Map(Object.entries(after).map(([name, header]) => [name.toLowerCase(), { name, header }]));
  return Object.entries(before).flatMap(([name, value]) => {
    const kept = has.get(name.toLowerCase());
    const here = within(place, `header ${earlier(pass, name, kept?.name ?? name)}`);
    const header = pass.before.part(value);
    if (kept === undefined) return [finding(header['required'] === true ? 'header-certain' : 'header', here)];
    const now = pass.after.part(kept.header);
    const isLoose = header['required'] === true && now['required'] !== true;
    return [
      ...(isLoose ? [finding('header-promised', here)] : []),
      ...schemaLosses(pass, 'received', header['schema'], now['schema'], here),
      ...(name.toLowerCase() === 'link' ? relationLosses(pass, value, kept.header, here) : []),
    ];
  });
};
