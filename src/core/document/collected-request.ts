/** A document as a collection of requests that can be sent one after another: what every tool's own format is written from. */

/** A name with the text that is sent for it. */
export type NamedValue = { readonly name: string; readonly value: string };

export type CollectedHeader = NamedValue & {
  /** Left out unless somebody switches it on: a condition, or a part of the bytes, would give another answer. */
  readonly isOff: boolean;
};

/** What a request keeps of its answer for a later one: the value at these steps, under this name. */
export type Kept = { readonly variable: string; readonly steps: readonly string[] };

export type CollectedRequest = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly method: string;
  /** With parameters as in the document, `/node/{node_id}`. A value with slashes stands in it already. */
  readonly path: string;
  readonly pathValues: readonly NamedValue[];
  readonly query: readonly NamedValue[];
  readonly headers: readonly CollectedHeader[];
  readonly body: { readonly text: string; readonly isJson: boolean } | undefined;
  readonly isSignedIn: boolean;
  /** The statuses of a right answer: what the document says of success, or of refusals where nobody succeeds. */
  readonly statuses: readonly number[];
  readonly keeps: readonly Kept[];
};

type RequestFolder = {
  readonly name: string;
  readonly description: string;
  readonly requests: readonly CollectedRequest[];
};

export type Collection = {
  readonly name: string;
  readonly description: string;
  readonly baseUrl: string;
  readonly folders: readonly RequestFolder[];
};

/** What a person sets: the address of the server, and the account. */
export const collectionVariables = ({ baseUrl }: Collection): readonly NamedValue[] => [
  { name: 'baseUrl', value: baseUrl },
  { name: 'username', value: 'admin' },
  { name: 'password', value: 'islandora' },
];
