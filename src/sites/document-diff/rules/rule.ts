/** What is said of each kind of change, and who it breaks. */
import type { ChangeKind, Party } from '../document-change.ts';

/** `change` is the sentence without its subject. Its `{}` is the detail of a finding. */
export type Saying = Readonly<Record<Party, ChangeKind>> & { readonly change: string; readonly reason: string };

/**
 * `lost`: the later document lacks what the earlier one had. `gained`: the other way round. `altered`: it is another one
 * in both ways. `hides`: what is gained at the same place by these rules is not worth saying after the loss.
 */
export type Rule =
  { readonly lost: Saying; readonly gained: Saying; readonly hides?: readonly string[] } | { readonly altered: Saying };

const breaks =
  (client: ChangeKind, server: ChangeKind) =>
  (change: string, reason: string): Saying => ({ client, server, change, reason });

// Who breaks by a change.
export const both = breaks('breaking', 'breaking');
export const clients = breaks('breaking', 'harmless');
export const servers = breaks('harmless', 'breaking');
export const nobody = breaks('harmless', 'harmless');
export const unsure = breaks('unknown', 'unknown');
export const clientsPerhaps = breaks('unknown', 'harmless');
export const serversPerhaps = breaks('harmless', 'unknown');
