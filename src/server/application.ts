/** Defines what a server hosts. */
import type { SigningKeySource } from '../basics/secrets/signing-key.ts';
import type { UploadTally } from '../basics/work-tally.ts';
import type {
  CacheMode,
  HostedOperation,
  HostedSite,
  HostedWorld,
  OperationOf,
  PlainReply,
  PlainRequest,
  WorldState,
} from '../openapi/openapi-host.ts';
import type { LoadApplication } from './engines/load-contract.ts';
import type { ContentHandlers } from './control/control-handlers.ts';
import type { ControlHost } from './control/host-facts.ts';
import type { ContentRules } from './worlds/content-rules.ts';
import type { FixtureOptions, MakeSample } from './worlds/fixtures.ts';
import type { SiteReader, SourceFiles, SourceLocations } from './sources/source-files.ts';
import type { FaultKind } from './faults/fault.ts';
import type { WorldAddress } from './worlds/world-address.ts';
import type { Clock, Entity } from '../openapi/openapi-records.ts';

/**
 * The repository, or documents alone. A world has records, bytes, a clock and ids; what a request finds in it besides is made by
 * the application.
 */
export type Application = {
  /** Whether it is the repository, with a site and content. */
  readonly hasRepository: boolean;
  /** Sessions, counters and the like: what stays when the site changes, and ends with the data. Made when it is first needed. */
  readonly createState: (settings: WorldSettings, data: ServedData, state: WorldState) => () => unknown;
  readonly createViews: (settings: WorldSettings, data: ServedData, sources: ViewSources) => WorldViews;
  /** Loads what it answers. Undefined where documents are served alone. */
  readonly load?: LoadApplication | undefined;
  /** The request and the world that its address means, such as a language of the world. When left out: as they are. */
  readonly addressed?: ((request: PlainRequest, world: HostedWorld) => AddressedRequest) | undefined;
  /** What an address stands for that its document does not have, such as the alias of a record. */
  readonly followAddress?: FollowAddress | undefined;
  /** Loads what its requests need and its start does not, in the order in which they are likely to need it. */
  readonly loads?: readonly (() => Promise<unknown>)[] | undefined;
  /** What it says of the records in its worlds. */
  readonly content: ContentRules;
  /** What the control interface says of its content. */
  readonly control: (host: ControlHost) => ContentHandlers;
  /** Where a person begins to look. When left out: at the document. */
  readonly entryPoints?: ((world: HostedWorld) => Promise<readonly EntryPoint[]>) | undefined;
  /** The faults on demand that only it has. */
  readonly faults: readonly FaultKind[];
};

/** An application of a host that has files. */
export type ApplicationOnDisk = Application & {
  /** Undefined where documents are served alone: they have no site. */
  readonly siteReader?: SiteReader | undefined;
  /** What new worlds are filled with. Throws `ConfigurationError`. */
  readonly fixturesOf: FixturesOf;
  readonly makeSample?: MakeSample | undefined;
  /** Opens what it does by itself some time after a write. Throws `ConfigurationError`. When left out: it does nothing by itself. */
  readonly openOwnWork?: ((options: OwnWorkOptions) => Promise<OwnWork>) | undefined;
};

/** The server's own fixture, and those that worlds can be made from. Throws `ConfigurationError`. */
export type FixturesOf = (
  options: FixtureSources,
  sources: Pick<SourceFiles, 'site' | 'isChecked' | 'checkedRecords'>,
) => Promise<FixtureOptionsOfStart>;

export type FixtureSources = Pick<SourceLocations, 'root' | 'site' | 'prepared' | 'drupalConfig'> & {
  /** The name or place of a fixture. When left out: what the application begins with. */
  readonly fixture: string | undefined;
};

export type FixtureOptionsOfStart = Omit<FixtureOptions, 'application' | 'site' | 'root' | 'seed' | 'warn'>;

export type EntryPoint = { readonly title: string; readonly url: string };

export type OwnWorkOptions = {
  /** Where its messages go. */
  readonly events?: string | undefined;
  /** In seconds. */
  readonly reactionsDelay?: number | undefined;
};

/** What an application does by itself, in all worlds. The rest of it is between the application and its views. */
export type OwnWork = {
  /** Nothing more is done. */
  readonly end: () => void;
  /** Its requests to itself are answered from now on. */
  readonly use: (answer: (request: PlainRequest) => Promise<PlainReply>) => void;
  /** Ends connections. */
  readonly close: () => Promise<void>;
};

export type AddressedRequest = { readonly request: PlainRequest; readonly world: HostedWorld };

/** `isRedirect`: the address leads somewhere else, and the document says nothing of it. */
export type FollowedAddress = { readonly operation: HostedOperation | undefined; readonly isRedirect: boolean };

export type FollowAddress = (
  request: PlainRequest,
  world: HostedWorld,
  operationOf: OperationOf,
) => Promise<FollowedAddress>;

/** Called when the first view is made. */
export type ViewSources = {
  /** What `createState` has made. */
  readonly state: () => unknown;
  /** Where clients reach the world. */
  readonly baseUrlOf: () => string;
};

/** The settings that a reset keeps. All worlds share the signing key: a token names its world, and is valid there alone. */
export type WorldSettings = {
  readonly name: string;
  readonly application: Application;
  readonly site: HostedSite;
  readonly durability: HostedWorld['durability'];
  /** How reads are answered. When left out: as the site says. */
  readonly caches?: CacheMode | undefined;
  readonly clock: Clock;
  readonly signingKey: SigningKeySource;
  /** Reads a generic icon of the site by its file name. */
  readonly readIcon: (name: string) => Promise<Uint8Array>;
  /** Counts each upload to any world. */
  readonly uploads?: UploadTally | undefined;
  /** What `openOwnWork` has made. When left out: what follows from a write is done at once, without requests. */
  readonly ownWork?: OwnWork | undefined;
};

/** The views of world data. */
export type WorldViews = {
  readonly at: (address: WorldAddress) => HostedWorld;
  /** Others take their place: what the site would still do by itself is not done. */
  readonly end: () => void;
};

/** What a request reads and writes. */
export type ServedData = Pick<HostedWorld, 'store' | 'blobs' | 'ids'> & {
  /** A record has lost its bytes: they may go. */
  readonly released?: ((former: Entity) => Promise<void>) | undefined;
};
