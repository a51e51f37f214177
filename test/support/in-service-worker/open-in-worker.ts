/** Defines how a test opens a repository in a service worker. This file needs nothing of the engine for browsers, which can be deleted. */
import type { Express } from 'express';
import type { Site, World } from '../../../src/repository/repository.ts';
import type { EngineEvent } from '../../../src/openapi/openapi-host.ts';
import type { ContractSources } from '../../../src/server/server-application.ts';
import type { createDispatch } from '../../../src/server/server-start.ts';
import type { LocalWorlds } from '../../../src/server/server-worlds.ts';
import type { TestOptions } from '../atoll.ts';

type InWorkerOptions = {
  readonly root: string;
  readonly prepared: string;
  readonly baseUrl: string;
  readonly signingKey: string;
  readonly sources: Pick<ContractSources, 'document' | 'isChecked' | 'areDocumentsChecked'> &
    Pick<Parameters<typeof createDispatch>[0], 'controlDocument'>;
  /** As it was loaded, and as the test changed it. */
  readonly loaded: Site;
  readonly site: Site;
  readonly fixture: string;
  readonly options: TestOptions;
  readonly now: () => number;
  readonly onEvent: (event: EngineEvent) => void;
};

type AtollInWorker = {
  readonly app: Express;
  readonly world: () => World;
  readonly worlds: LocalWorlds;
  readonly reset: () => Promise<void>;
};

export type OpenAtollInWorker = (options: InWorkerOptions) => Promise<AtollInWorker>;

/** Named here, and not imported, so that other tests stay when the engine for browsers is deleted. */
const file = './atoll-in-worker.ts';

export const loadInWorker = async (): Promise<OpenAtollInWorker> => {
  const { openAtollInWorker } = (await import(file)) as { readonly openAtollInWorker: OpenAtollInWorker }; // its export
  return openAtollInWorker;
};
