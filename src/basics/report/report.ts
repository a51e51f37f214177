/** Defines what a command reports: one model, which `page` and `junit` write. */

export type Report = {
  /** The command, such as `atoll verify`: the name of the whole in JUnit. */
  readonly name: string;
  /** The first heading of the page. */
  readonly heading: string;
  /** What was looked at, behind the heading: an address or a directory. */
  readonly subject?: string;
  readonly figures: readonly Figure[];
  /** What the reader has to know about the whole run. */
  readonly remarks: readonly string[];
  readonly sections: readonly ReportSection[];
};

/** One named `failed`, `error` or `new` is a bad one. `share` is a percentage. */
export type Figure = {
  readonly name: string;
  readonly value: number | string;
  readonly detail?: string;
  readonly share?: number;
};

/** JUnit has the cases, as a suite. A page has the table in their place where there is one. */
export type ReportSection = {
  readonly name: string;
  readonly cases?: readonly ReportCase[];
  readonly table?: ReportTable;
};

/** A case passes without flaws. `skipped` says why it neither passed nor failed. */
export type ReportCase = {
  /** What the case is about, with dots: `verify.getNode`. */
  readonly about: string;
  readonly name: string;
  /** The sentence that was judged, and where it comes from. */
  readonly rule?: string;
  readonly source?: string;
  readonly flaws?: readonly Flaw[];
  readonly skipped?: string;
  /** Why the case could not be carried out, through no fault of what it judges. */
  readonly error?: string;
  readonly evidence?: readonly Evidence[];
  readonly seconds?: number;
};

/** `kind`: how grave it is, or which rule is broken. `words` may have several lines. */
export type Flaw = { readonly kind: string; readonly words: string };

/** Texts that show something: a request and its answer, two values. The last text of the last one is in JUnit, too. */
export type Evidence = { readonly title: string; readonly texts: readonly string[] };

export type ReportTable = {
  /** A sentence above the table. */
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly TableRow[];
};

export type TableRow = {
  readonly name: string;
  /** In small letters below the name. */
  readonly detail?: string;
  readonly cells: readonly (string | readonly Mark[])[];
};

/** Something that was met or not. `hint` says more of it. */
export type Mark = { readonly text: string; readonly isMet: boolean; readonly hint: string };
