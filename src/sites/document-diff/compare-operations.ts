/** Compares the operations of two documents: what is gone, and what each has lost. */
import { listOf, partOf } from '../../core/document/document-tree.ts';
import { answerLosses } from './compare-answers.ts';
import { bodyLosses } from './compare-contents.ts';
import { operationExtensionLosses } from './compare-extensions.ts';
import { parameterLosses } from './compare-parameters.ts';
import { securityLosses } from './compare-security.ts';
import type { DocumentOperation, DocumentReader } from './document-reader.ts';
import { earlier, finding, type Finding, type Pass, type Place } from './finding.ts';
import { sameMeaning } from './same-meaning.ts';

/** In the order of the document that the pass begins with. */
export const operationLosses = (pass: Pass): Finding[] =>
  pass.before.operations.flatMap((before) => {
    const after = counterpart(before, pass);
    return after === undefined
      ? [finding('operation', { subject: before.id, place: '' })]
      : keptLosses(pass, before, after);
  });

/** The operation of the same method and path or, where there is none, the one of the same name that has moved. */
const counterpart = (one: DocumentOperation, { before, after }: Pass): DocumentOperation | undefined => {
  const inPlace = operationAt(after, one.key);
  if (inPlace !== undefined) return inPlace;
  const moved = after.operations.find(({ id }) => id === one.id);
  return moved === undefined || operationAt(before, moved.key) !== undefined ? undefined : moved;
};

const operationAt = ({ operations }: DocumentReader, key: string): DocumentOperation | undefined =>
  operations.find((each) => each.key === key);

const keptLosses = (pass: Pass, before: DocumentOperation, after: DocumentOperation): Finding[] => {
  const place: Place = { subject: earlier(pass, before.id, after.id), place: '' };
  const [group, newGroup] = [before, after].map(({ part }) => listOf(part['tags'])[0] as string | undefined); // OpenAPI: names
  const begins = before.part['deprecated'] !== true && after.part['deprecated'] === true;
  return [
    ...(before.id === after.id || before.part['operationId'] === undefined
      ? []
      : [finding('operation-name', place, after.id)]),
    ...(before.key === after.key ? [] : [finding('operation-address', place, after.address)]),
    ...(group === newGroup || newGroup === undefined ? [] : [finding('operation-group', place, newGroup)]),
    ...(begins ? [finding('deprecated', place)] : []),
    ...parameterLosses(pass, before, after, place),
    ...bodyLosses(pass, before.part['requestBody'], after.part['requestBody'], place),
    ...answerLosses(pass, before, after, place),
    ...securityLosses(before.security, after.security, place),
    ...operationExtensionLosses(before, after, place),
    ...callbackLosses(pass, before, after, place),
  ];
};

const callbackLosses = (pass: Pass, before: DocumentOperation, after: DocumentOperation, place: Place): Finding[] => {
  const [had, has] = [partOf(before.part['callbacks']), partOf(after.part['callbacks'])];
  const isSame = sameMeaning(pass.before, pass.after, had, has);
  return isSame ? [] : [finding('other-part', { ...place, place: 'callbacks' })];
};
