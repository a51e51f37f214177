/** Defines a document that a user has named, once it is read. */
import type { EngineOptions, OpenedDocument } from '../../openapi/openapi.ts';

export type OwnDocument = {
  readonly file: string;
  readonly opened: OpenedDocument;
  /** The first is shown for its operations. */
  readonly basePaths: readonly string[];
  /** Those of an operation that has servers of its own. */
  readonly basePathsOf?: EngineOptions<never>['basePathsOf'];
  /** Whether overlays add its operations to the repository, whose schemes and handlers they have. */
  readonly isOfRepository?: boolean | undefined;
};

/** Whether a path is the server's own. */
export const isReserved = (path: string): boolean => /^\/(_atoll|~)/.test(path);
