/** Defines what an application says of the records in its worlds: which there are, which fit its site, and how one is put back. */
import type { Files } from '../../basics/disk/files.ts';
import type { StoredRecordFault } from '../../basics/records/record-faults.ts';
import type { HostedSite, HostedWorld } from '../../openapi/openapi-host.ts';
import type { Entity, EntityStore, RecordModel } from '../../openapi/openapi-records.ts';
import type { InitialRecords } from '../../storage/storage.ts';
import type { FixtureContent } from './fixture-content.ts';
import type { RecordChange } from './differences/compare-records.ts';
import type { ShortFixture } from './short-fixture/read-short-fixture.ts';

export type ContentRules = {
  /** What stores have to know of its records. */
  readonly model: RecordModel;
  /** The records that its site brings to every world. */
  readonly initialRecords: (site: HostedSite) => readonly Entity[];
  /** Why records do not fit its site. `judgesState`: also what a record may become and not be made as. */
  readonly faultsOf: (
    records: InitialRecords,
    site: HostedSite,
    options?: { readonly judgesState?: boolean },
  ) => readonly StoredRecordFault[];
  /** Makes records of the objects of a short fixture. Throws `ConfigurationError` with file and line. Left out where there are no files. */
  readonly expand?: ((fixture: ShortFixture, site: HostedSite) => Promise<FixtureContent>) | undefined;
  /** What a person calls a record, and a field of it. */
  readonly labelOf: (record: Entity) => string;
  readonly fieldLabelOf: (record: Entity, field: string, site: HostedSite) => string | undefined;
  readonly restoration: RestorationRules;
  /** A message about stored records that its site does not serve. When left out: it serves all. */
  readonly unserved?: ((store: EntityStore, site: HostedSite) => Promise<readonly string[]>) | undefined;
  /** Judges in the background which stored records a site does not fit. When left out: none is judged. */
  readonly createFitJudge?: ((options: FitJudgeOptions) => FitJudge) | undefined;
};

export type FitJudgeOptions = {
  readonly store: () => EntityStore;
  /** The file of the data directory that keeps the judgement. */
  readonly file: string;
  readonly files: Files;
  readonly warn: (message: string) => void;
  /** Whether the records were judged when the directory was filled with them. */
  readonly isNew: boolean;
};

export type FitJudge = { readonly judge: (site: HostedSite) => void; readonly end: () => Promise<void> };

/** What has to be known of records that are put back as they were. */
export type RestorationRules = {
  /** Removes a record that was added, with what goes with it. Rejects with `absent()` where it is gone. */
  readonly remove: (world: HostedWorld, record: Pick<Entity, 'type' | 'id'>, absent: () => Error) => Promise<void>;
  /** The changes that a deletion of the record took with it. `field`: only that is put back. */
  readonly goneWith: (
    gone: Entity,
    changes: readonly RecordChange[],
    site: HostedSite,
  ) => readonly { readonly before: Entity; readonly field?: string }[];
  /** The index keys of a record that only one record of its type may have. */
  readonly uniqueKeys: (record: Entity) => readonly string[];
  /** A stored record has lost its bytes to others. */
  readonly release: (world: HostedWorld, former: Entity) => Promise<void>;
};
