/** What a change from one document to another is: its kind, who it breaks, and why. */

/** From the worst to the best. `unknown`: nobody can say by the documents alone. */
export const changeKinds = ['breaking', 'unknown', 'harmless'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** From which kind on a change is a finding; `never`: none is. */
export const failLevels = [...changeKinds, 'never'] as const;
export type FailLevel = (typeof failLevels)[number];

/**
 * Who was made for the earlier document. `client`: it meets a server of the later document. `server`: it meets clients of
 * the later document.
 */
export const parties = ['client', 'server'] as const;
export type Party = (typeof parties)[number];

/** The party that a comparison judges for: one party, or the worse of both. */
export const judgedParties = ['client', 'server', 'both'] as const;
export type JudgedParty = (typeof judgedParties)[number];

export type DocumentChange = {
  /** The worst of `kinds` for the parties that the comparison judges for. */
  readonly kind: ChangeKind;
  readonly kinds: Readonly<Record<Party, ChangeKind>>;
  /** The parties that break for certain. */
  readonly breaks: readonly Party[];
  /** The kind of place and change, such as `operation` or `sent-member`. */
  readonly rule: string;
  /** An operation id, or the name of a schema, header, or security scheme. A changelog names this. */
  readonly subject: string;
  /** Where in the subject: `200 application/json .title[]`. Empty for the whole. */
  readonly place: string;
  /** A sentence without its subject, such as `is gone`. */
  readonly change: string;
  readonly reason: string;
};

/** The worse of two kinds. */
export const worse = (one: ChangeKind, other: ChangeKind): ChangeKind =>
  changeKinds.indexOf(one) < changeKinds.indexOf(other) ? one : other;

/** Whether any change is of this kind or worse. */
export const hasKind = (changes: readonly { readonly kind: ChangeKind }[], kind: ChangeKind): boolean =>
  changes.some((change) => worse(change.kind, kind) === change.kind);
