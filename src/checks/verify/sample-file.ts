/** Makes small files that media of a bundle take, and places for them in the folder of a run. */
import { lookup } from 'mime-types';
import type { Bundle } from '../../repository/repository.ts';

const isPicture = ({ source }: Bundle): boolean => source?.kind === 'image';

export const extensionsOf = (bundle: Bundle): readonly string[] =>
  bundle.fields.get(bundle.source?.field ?? '')?.extensions ?? [isPicture(bundle) ? 'png' : 'txt'];

export const extensionOf = (bundle: Bundle): string => {
  const all = extensionsOf(bundle);
  return all.find((each) => each === 'txt') ?? all.find((each) => each === 'png') ?? all[0] ?? 'txt';
};

export const mediaTypeOf = (extension: string): string => lookup(extension) || 'application/octet-stream';

/** One pixel, so that a target may look into the picture. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Bytes that differ with each call unless their words are given, of no more than 64 KiB. For pictures they are behind the picture. */
export const sampleBytes = (bundle: Bundle, length = 40, words = `${crypto.randomUUID()} `): Uint8Array => {
  const text = Buffer.from(words.repeat(Math.ceil(length / words.length)).slice(0, length));
  return isPicture(bundle) ? Buffer.concat([picture, text]) : text;
};

/** A label as a part of file names. */
export const slugOf = (label: string): string =>
  label
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** A place for a new file: scheme, folder of the run, a name of its own. The name has the label, as the media does that gets it. */
export const placeIn = (label: string, scheme: string, extension: string): string =>
  `${scheme}://${slugOf(label)}/${slugOf(label)}-${crypto.randomUUID()}.${extension}`;
