/** Defines what a host is given where a site is made from the exported configuration of another system. */

/** One cause, with the places where it was met. */
export type ImportNote = {
  readonly why: string;
  /** Whether the imported site answers otherwise than the real one because of it. */
  readonly lost: boolean;
  readonly where: readonly string[];
};

/** What an import took, and what it did not take. */
export type ImportReport = {
  /** What comes before everything else. */
  readonly headline?: string;
  /** How many of each kind the site has now. */
  readonly taken: Readonly<Record<string, number>>;
  readonly partly: readonly ImportNote[];
  readonly notJudged: readonly ImportNote[];
  /** What serves another protocol: search, manifests of images, harvesting. A client of this interface loses nothing. */
  readonly outside: readonly ImportNote[];
  /** The number of files of each kind that an import does not read. */
  readonly notRead: Readonly<Record<string, number>>;
};

/** What the configuration of a site is read from. */
export type ImportSource = {
  /** Folders of exported configuration. A later one lies over those before it. */
  readonly folders: readonly string[];
  /** Tables of terms in CSV. */
  readonly terms: readonly string[];
  /** Types of records to serve although the configuration does not enable them: `node`, `media`, `term`, `file`, `user`. */
  readonly enable?: readonly string[] | undefined;
};

/** The folders and tables, and what makes the files of a site from them. `read` throws `ConfigurationError`. */
export type ExportedConfiguration = ImportSource & {
  read(): Promise<{ readonly siteFiles: ReadonlyMap<string, unknown>; readonly report: ImportReport }>;
};
