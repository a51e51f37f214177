/** What is said of each kind of change, and who it breaks. */
import type { ChangeKind, Party } from '../document-change.ts';

/** `change` writes the sentence without its subject, from the detail of a finding. */
export type Saying = Readonly<Record<Party, ChangeKind>> & {
  readonly change: (detail: string) => string;
  readonly reason: string;
};

/**
 * `lost`: the later document lacks what the earlier one had. `gained`: the other way round. `altered`: it is another one
 * in both ways. `hides`: what is gained at the same place by these rules is not worth saying after the loss.
 */
export type Rule =
  { readonly lost: Saying; readonly gained: Saying; readonly hides?: readonly string[] } | { readonly altered: Saying };

/** Who breaks by a change. */
export const both = { client: 'breaking', server: 'breaking' } as const;
export const clients = { client: 'breaking', server: 'harmless' } as const;
export const servers = { client: 'harmless', server: 'breaking' } as const;
export const nobody = { client: 'harmless', server: 'harmless' } as const;
export const unsure = { client: 'unknown', server: 'unknown' } as const;
export const clientsPerhaps = { client: 'unknown', server: 'harmless' } as const;
export const serversPerhaps = { client: 'harmless', server: 'unknown' } as const;
