/** Defines a check of the contract, and what a check is given to ask the target with. */
import type { TargetAccount } from '../../exchange/exchange-target.ts';
import type { ContractCheck } from '../target/contract-check.ts';
import type { TargetContract } from '../target/contract-source.ts';
import type { HeaderLine } from '../../exchange/exchange.ts';
import type { AnsweredTwice, Difference } from '../compare/difference.ts';
import type { JsonComparison } from '../compare/compare-json.ts';
import type { Answer } from './answer.ts';

/**
 * `contract`: a sentence of the contract, of the document or of an RFC. `reference`: what a real repository does where the
 * contract is silent. `advice`: what helps clients.
 */
export type Severity = 'contract' | 'reference' | 'advice';

/** `run` ends when the rule holds. It throws a `CheckFailure` when it does not, and a `CheckSkip` when it cannot be known. */
export type Check = {
  /** Unique. Parts with dots, often an operation among them: `read.getNode.answers`. */
  readonly name: string;
  /** The rule in one sentence. */
  readonly rule: string;
  /** Where the rule comes from: `contract: Nodes, Retrieve`, `RFC 8288 §3.1`, `a real site: upload`. */
  readonly source: string;
  readonly severity: Severity;
  /** The ids of the operations that it is about. It is skipped where the site's document has one of them not. */
  readonly operations: readonly string[];
  /** Whether it makes, changes or removes something. Such checks run only where writing is allowed. */
  readonly isWriting: boolean;
  /** True: no other check runs meanwhile, and it sends every read itself, as when it uses up the tries of an account. */
  readonly isExclusive?: boolean;
  readonly run: (context: CheckContext) => unknown;
};

/** A request of a check. Credentials are those of `as`; `anonymous` when it is left out. */
export type AskedRequest = {
  /** Default: GET. */
  readonly method?: string;
  /** Path and query below the base URL. */
  readonly path: string;
  readonly as?: TargetAccount;
  /** How `as` authenticates. Default: Basic with a password, Bearer with a token alone. `none` sends the `headers` alone. */
  readonly by?: 'basic' | 'bearer' | 'session' | 'none';
  readonly headers?: readonly HeaderLine[];
  /** Sent as JSON, with `Content-Type: application/json` unless `headers` has one. */
  readonly json?: unknown;
  readonly body?: string | Uint8Array | undefined;
  /** False: the answer need not keep the document, as after a deliberately broken request to another server part. Default: true. */
  readonly isJudged?: boolean;
};

/** A node, media or file that checks may read. `record` is its JSON as its maker sees it. */
export type KnownEntity = {
  readonly type: 'node' | 'media' | 'file';
  readonly id: number;
  readonly bundle: string;
  readonly record: Readonly<Record<string, unknown>>;
};

/**
 * What there is to look at. A writing run has made all of it; a reading run has found it by links, and parts may be missing.
 * `terms` are ids of terms: a model for nodes and a use for media.
 */
export type Subjects = {
  readonly node: KnownEntity;
  /** A node that anonymous visitors must not see. */
  readonly unpublished: KnownEntity | undefined;
  /** A node that has `node` as its member. */
  readonly container: KnownEntity | undefined;
  /** By bundle: `image`, `file`, … */
  readonly media: ReadonlyMap<string, KnownEntity>;
  /** The file of a media, by the media's bundle. `content` is the address of its bytes below the base URL. */
  readonly files: ReadonlyMap<string, KnownEntity & { readonly content: string }>;
  readonly terms: { readonly model: number | undefined; readonly use: number | undefined };
  /** An id that no node, media or file has. */
  readonly absentId: number;
};

/** Makes entities under the run's label. Everything that any request makes is noted when it is answered, and removed at the end of the run. */
export type Workspace = {
  /** Makes a node by POST as the account that makes everything. `fields` replace those of a minimal body. */
  node(fields?: Readonly<Record<string, unknown>>): Promise<KnownEntity>;
  /** A node with a use that no media of it has yet, for uploads that look at nothing else of it. */
  spareNode(): Promise<KnownEntity>;
  /** A use that no media of the node has, which is given away by this. Throws `CheckSkip` without one. */
  useOf(node: KnownEntity): number;
  /** Uploads a small file that the media bundle takes to a node. */
  media(node: KnownEntity, bundle: string): Promise<KnownEntity>;
  /** A body for POST that the target takes: bundle, a title with the label, and what the site requires. */
  nodeBody(fields?: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** The label that the titles of everything made begin with. */
  readonly label: string;
};

/** Another server with what a check looks at, and the comparison of its answers with those of the target. */
export type Reference = { readonly context: CheckContext; readonly comparison: JsonComparison };

export type CheckContext = {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly contract: TargetContract;
  readonly judge: ContractCheck;
  readonly subjects: Subjects;
  /** Throws `CheckSkip` in a run that only reads. */
  readonly workspace: Workspace;
  /** The anonymous visitor first. */
  readonly accounts: readonly TargetAccount[];
  /** The account that may most. Throws `CheckSkip` when there is only the anonymous visitor. */
  readonly maker: () => TargetAccount;
  /** Whether the site gives the account a permission. An account with unknown roles is passed over by `accountsWho`. */
  readonly may: (account: TargetAccount, permission: string) => boolean;
  /**
   * Sends a request. A read that another check has sent, with no write since, is answered from there. The report of a failure shows every
   * exchange of its check. Throws `TargetError`.
   */
  readonly ask: (request: AskedRequest) => Promise<Answer>;
  /** Does steps once for all the checks that name the same key. Only one place may use a key. */
  readonly once: <T>(key: string, steps: (context: CheckContext) => Promise<T>) => Promise<T>;
  /** The Atoll of the same configuration that probes are compared with. Throws `CheckSkip` where it cannot be had. */
  readonly reference: () => Promise<Reference>;
  /** The question of the deliberate difference by which a real site answers otherwise than Atoll. Undefined for other targets. */
  readonly explain: (answered: AnsweredTwice) => (difference: Difference) => string | undefined;
  /** The next check does the steps of a key again: what they made is used up. */
  readonly again: (key: string) => void;
};
