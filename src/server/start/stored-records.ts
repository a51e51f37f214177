/** What a start and a reload do with stored records: collections begin, and what the site or a document does not allow is named. */
import { type ServedContract, unfitCollections } from '../../contract/contract.ts';
import type { HostedSite } from '../../openapi/openapi-host.ts';
import type { OpenedWorlds } from '../worlds/open-worlds.ts';
import type { Application } from '../application.ts';

/** Collections begin with the records of their documents. */
export const beginCollections = async (
  { useCollections }: Pick<OpenedWorlds, 'useCollections'>,
  { documented }: ServedContract,
): Promise<void> => {
  const documents = documented?.collections ?? [];
  await useCollections?.({
    hasAny: documents.some(({ summaries }) => summaries.length > 0),
    records: new Map(documents.flatMap(({ seeds }) => [...seeds()])),
    arrange: (collection, records) => {
      for (const document of documents) {
        const arranged = document.arrange(collection, records);
        if (arranged !== undefined) return arranged;
      }
      return undefined;
    },
  });
};

type Warning = {
  readonly application: Pick<Application, 'content'>;
  readonly site: HostedSite;
  readonly contract: ServedContract;
  readonly warn: (message: string) => void;
};

/** Names records of the main world whose bundle the site does not have, and records of collections that do not fit their document. */
export const warnOfRecords = async (
  { worlds }: Pick<OpenedWorlds, 'worlds'>,
  { application, site, contract, warn }: Warning,
): Promise<void> => {
  const { store, collections } = worlds.main.world;
  for (const message of (await application.content.unserved?.(store, site)) ?? []) warn(message);
  for (const { message } of await unfitCollections(contract.documented?.collections ?? [], collections)) warn(message);
};
