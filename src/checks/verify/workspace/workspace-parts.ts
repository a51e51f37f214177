/** Defines what a workspace is made of, and what of it only the preparation of a run uses. */
import type { TargetAccount } from '../../../exchange/accounts.ts';
import type { Answer } from '../answer.ts';
import type { AskedRequest, KnownEntity, Workspace } from '../check.ts';
import type { FieldRoles } from '../field-roles.ts';
import type { Journal } from './journal.ts';

export type WorkspaceParts = {
  readonly journal: Journal;
  readonly roles: FieldRoles;
  readonly account: TargetAccount;
  readonly defaultScheme: string;
  readonly baseUrl: string;
  /** Its requests are noted in the journal. */
  readonly ask: (request: AskedRequest) => Promise<Answer>;
  /** The node that everything becomes a part of. Undefined while it is not made yet. */
  readonly container: () => number | undefined;
  /** `fertile`: the uses that the site makes derivatives of. */
  readonly terms: {
    readonly model: number | undefined;
    readonly uses: readonly number[];
    readonly fertile: ReadonlySet<number>;
  };
  readonly termIn: (vocabularies: readonly string[]) => number | undefined;
};

export type MadeWorkspace = Omit<Workspace, 'media'> & {
  /** `scheme`: where the file goes, in place of where the field says. */
  media(node: KnownEntity, bundle: string, content?: Uint8Array, scheme?: string): Promise<KnownEntity>;
  /** The file of a media, and the address of its bytes. */
  fileOf(media: KnownEntity): Promise<(KnownEntity & { readonly content: string }) | undefined>;
};
