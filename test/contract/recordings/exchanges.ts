/** The recordings as data: what a real Drupal with Islandora was asked, and what it answered (R 10). */
import { readFileSync } from 'node:fs';

export type Exchange = {
  readonly label: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    /** The account's name; its password was `pw`. */
    readonly credentials: string | null;
    readonly headers: Readonly<Record<string, string>>;
    /** JSON, or text that was sent as it is, or `(n bytes)`. */
    readonly body: unknown;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string | readonly string[]>>;
    readonly body: unknown;
  };
};

/** The recordings that are lists of exchanges, without `observed-` and `.json`. 224 exchanges in all. */
export const observedFiles = [
  'node-read-and-create',
  'node-patch-and-delete',
  'media-and-file',
  'upload-endpoint',
  'deletes-dangling-unpublished',
  'link-headers',
  'terms-login-cookie-fileupload',
] as const;
export type ObservedFile = (typeof observedFiles)[number];

/** A recording by its file name, as parsed JSON. */
export const recording = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8'));

export const exchanges = (name: string): readonly Exchange[] => recording(name) as readonly Exchange[]; // a recording's known shape

export const exchange = (name: string, label: string): Exchange => {
  const found = exchanges(name).find((one) => one.label === label);
  if (found === undefined) throw new Error(`${name} has no exchange "${label}"`);
  return found;
};
