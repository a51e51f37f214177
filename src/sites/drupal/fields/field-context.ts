/** Defines what the fields of a site refer to. */
import type { Reporter } from '../report.ts';

/** What the fields of a site refer to. */
export type FieldContext = {
  readonly reporter: Reporter;
  /** The machine names of the bundles of an entity type. */
  readonly bundlesOf: (entityType: string) => readonly string[];
  /** Whether the configuration is that of a whole site. */
  readonly isWhole: boolean;
  /** The schemes of `site.yml`. */
  readonly schemes: ReadonlySet<string>;
  /** The id of a term by its uuid. */
  readonly termId: (uuid: string) => number | undefined;
};
