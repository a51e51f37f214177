/** Defines a prepared site: all that the engine reads from files, as one value that needs no files. */
import type { Entity, Counters } from '../../openapi/openapi-records.ts';

/** A validator that Ajv compiled ahead of time. After `false`, `errors` says what does not hold. */
export type CompiledValidator = {
  (subject: unknown): boolean;
  errors?: readonly CompiledError[] | null;
};

/** What Ajv says of one violation. */
export type CompiledError = {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly message?: string;
  readonly params: Readonly<Record<string, unknown>>;
};

/** The validators of the requests of each operation, by operation id. Each list is in the order of its schemas. */
export type RequestValidators = Readonly<Record<string, readonly CompiledValidator[]>>;

/** A document with its references, and the validators of its requests. */
export type PreparedDocument = {
  /** JSON text, which is read faster than a literal of the same content. */
  readonly text: string;
  readonly validators: RequestValidators;
};

/** The content of a new repository, without the records of the site itself. */
export type PreparedFixture = {
  readonly entities: readonly Entity[];
  readonly counters: Counters;
  /** The bytes by their key: in base64, or the address of a file that has them. */
  readonly blobs: Readonly<Record<string, PreparedBytes>>;
};

export type PreparedBytes = { readonly base64: string } | { readonly url: string };

/** `createAtoll` serves it. `atoll prepare` and the build make it, each as a module whose export is one of these. */
export type PreparedSite = {
  /** `default`, `starter-site`, or the name of the folder. */
  readonly name: string;
  /** The version of the package that made it. Another version refuses it. */
  readonly version: string;
  /**
   * The contents of the site's files by their names below the site's folder, with `/` between them. Their schemas have been
   * applied: the defaults are there, and nothing needs to be checked again.
   */
  readonly siteFiles: Readonly<Record<string, unknown>>;
  /** The pictures of media types by their file names, in base64. */
  readonly icons: Readonly<Record<string, string>>;
  /** Specialised for the site. */
  readonly document: PreparedDocument;
  readonly controlDocument: PreparedDocument;
  /** The first one fills a new repository, unless another is named. */
  readonly fixtures: Readonly<Record<string, PreparedFixture>>;
};
