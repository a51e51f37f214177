/** Defines `recording.json`, which says what a directory is, and the names of the files beside it. */
import { join } from 'node:path';
import * as v from 'valibot';

export const recordingFileName = 'recording.json';
export const exchangesFolder = 'exchanges';
export const bodiesFolder = 'bodies';
export const recordingFormat = 1;

export const recordingFile = v.looseObject({
  format: v.number(),
  /** The base URL of the server that answered, without a slash at its end. */
  target: v.pipe(v.string(), v.regex(/^https?:\/\/[^/?#\s]+(?:\/[^?#\s]*)?$/, 'must be a URL without a query')),
  /** When the recording was begun. */
  begun: v.pipe(v.string(), v.isoTimestamp()),
  /** The program that began it. */
  by: v.string(),
});

export type RecordingFile = v.InferOutput<typeof recordingFile>;

/** `000012-PATCH-node-5.json`: the number gives the order, the rest is for people. */
export const exchangeName = (number: number, method: string, path: string): string => {
  const words = path
    .replace(/[?#].*$/s, '')
    .replace(/[^A-Za-z0-9._]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, 60);
  return `${String(number).padStart(6, '0')}-${method.replace(/[^A-Z]/g, '')}-${words === '' ? 'root' : words}.json`;
};

/** The number in the name of an exchange; undefined for other names. */
export const numberIn = (name: string): number | undefined => {
  const [, digits] = /^(\d{1,15})(?:-[^/\\]*)?\.json$/.exec(name) ?? [];
  return digits === undefined ? undefined : Number(digits);
};

/** The path of a body below the recording. `extension` begins with a dot, or is empty. */
export const bodyName = (sha256: string, extension: string): string => `${bodiesFolder}/${sha256}${extension}`;

/** The place of a body that an exchange names. */
export const bodyPath = (directory: string, name: string): string => join(directory, name);
