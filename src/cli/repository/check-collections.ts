/** Names the records of collections in a checked directory that do not fit the documents of the user. */
import { documentCollections } from '../../server/server.ts';
import { namedDocument } from '../../server/server-application.ts';
import { recordFaults } from '../../contract/contract.ts';
import { idInCollection, type Entity, firstValue, collectionRecordType } from '../../openapi/openapi-records.ts';

/** One note for each such record, with its first fault: a server serves them as they are. Empty without a document. */
export const unfitNotes = async (entities: readonly Entity[], documents: readonly string[]): Promise<string[]> => {
  if (documents.length === 0) return [];
  const collections = await documentCollections(documents.map(namedDocument));
  return entities
    .filter(({ type }) => type === collectionRecordType)
    .flatMap((entity) => {
      const [fault] = recordFaults(collections, entity.bundle, firstValue(entity, 'value'));
      if (fault === undefined) return [];
      const where = fault.pointer === '' ? '' : `${fault.pointer} `;
      return [`${entity.bundle} "${idInCollection(entity)}" does not fit the document: ${where}${fault.message}.`];
    });
};
