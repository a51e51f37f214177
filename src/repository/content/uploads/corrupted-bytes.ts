/** Judges whether uploaded bytes can be what their media type and extension say. Clients that serialise a file store `{}` in its place. */
import { lookup } from 'mime-types';
import { beginningOfFiles } from '../../../basics/file-beginnings.ts';
import { inBody, type Advise } from '../../../openapi/openapi-host.ts';
import { extensionOf } from '../../fields/values.ts';

type UploadedBytes = {
  /** The first bytes, in pieces. */
  readonly head: readonly Uint8Array[];
  /** Where they are stored. Its extension says what they should be. */
  readonly uri: string;
  /** What the client calls them. */
  readonly contentType: string | undefined;
};

/** A PDF may begin with other bytes. */
const judgedBytes = 1024;

/** One character for each byte. */
const beginningOf = (head: readonly Uint8Array[]): string =>
  Buffer.concat(head.slice(0, 2).map((piece) => piece.subarray(0, judgedBytes)))
    .subarray(0, judgedBytes)
    .toString('latin1');

/** What JavaScript makes of an object that is not a text: of a `Blob`, a stream or a form, and of a `Buffer` in JSON. */
const serialised = /^\s*(\{\}|\[object \w+\]|\{"type":"Buffer","data":\[[\s\S]*|undefined)\s*$/;

/** Why the bytes cannot be a file as the client means it. Undefined when they can, or when nobody can tell. */
export const corruptionOf = ({ head, uri, contentType }: UploadedBytes): string | undefined => {
  const beginning = beginningOf(head);
  if (beginning === '') return undefined;
  const named = lookup(extensionOf(uri)) || '';
  const types = [(contentType ?? '').split(';', 1).join('').trim().toLowerCase(), named];
  // An empty object is a file of JSON, too.
  if (serialised.test(beginning) && !types.some((type) => /[/+]json$/.test(type))) {
    return 'The body is what a program writes for an object, such as {} or [object Object], in place of its bytes.';
  }
  const expected = types.flatMap((type) => beginningOfFiles(type) ?? []);
  return expected.length === 0 || expected.some((form) => form.test(beginning))
    ? undefined
    : 'The bytes do not begin as files of this media type and extension do.';
};

const shownBytes = 40;

/** Advises of bytes that are stored as they were sent, as on the real site, and cannot be what the client means. */
export const adviseOfBytes = (bytes: UploadedBytes, advise: Advise): void => {
  const reason = advise === undefined ? undefined : corruptionOf(bytes);
  if (reason === undefined) return;
  const shown = beginningOf(bytes.head)
    .slice(0, shownBytes)
    .replace(/[^\x20-\x7e]/g, '.');
  advise?.({ pointer: inBody(), sent: shown, stored: shown, reason });
};
