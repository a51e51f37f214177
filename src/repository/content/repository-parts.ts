/** Defines the parts that a repository is built from. */
import type { Site } from '../site/site.ts';
import type { Reactions } from '../model/reactions.ts';
import type { UploadTally } from '../../basics/work-tally.ts';
import type {
  BlobStorage,
  EntityStore,
  Clock,
  Identifiers,
  Entity,
  CollectionDecisions,
} from '../../openapi/openapi-records.ts';

export type RepositoryParts = {
  readonly site: Site;
  readonly store: EntityStore;
  /** One storage per scheme of the site. */
  readonly blobs: ReadonlyMap<string, BlobStorage>;
  /** Lets the bytes of a former record go, once nothing else names them. When left out: a sweep finds them by itself. */
  readonly released?: ((former: Entity) => Promise<void>) | undefined;
  readonly clock: Clock;
  readonly ids: Identifiers;
  /** Reads a generic icon of the site by its file name. */
  readonly readIcon: (name: string) => Promise<Uint8Array>;
  /** Everybody may read the bytes of a guarded file that no media uses, as on the real site. Only a fault asks for it. */
  readonly opensUnusedFiles?: boolean;
  /** Hears of each upload. */
  readonly uploads?: UploadTally | undefined;
  /** The collections of the world, which a decision may change too. Undefined where there are none. */
  readonly collections?: CollectionDecisions | undefined;
  /** What the site does by itself after a change. Undefined where it does nothing. */
  readonly reactions?: Reactions | undefined;
};
