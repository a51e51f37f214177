/** Makes the bytes and the name of a small file that a media bundle takes. */
import { lookup } from 'mime-types';
import type { Bundle } from '../../../core/model/bundle.ts';

export type UploadSample = { readonly extension: string; readonly mediaType: string; readonly content: Uint8Array };

/** One pixel each: a server reads the dimensions of an image. */
const images: Readonly<Record<string, string>> = {
  png: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
  gif: 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
};

/** A WAVE file of no sound: 44 bytes of header (RIFF, PCM, 8 kHz) and no samples. */
const silence = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

/** Undefined for a bundle that takes no file of a kind that this can make. */
export const uploadSample = (bundle: Bundle): UploadSample | undefined => {
  const { source } = bundle;
  const allowed = source === undefined ? [] : (bundle.fields.get(source.field)?.extensions ?? []);
  const any = allowed.length === 0;
  const wanted = preferred[source?.kind ?? ''] ?? [];
  const extension =
    wanted.find((each) => any || allowed.includes(each)) ?? (source?.kind === 'image' ? undefined : allowed[0]);
  if (extension === undefined) return undefined;
  const image = images[extension];
  const content =
    image !== undefined
      ? Buffer.from(image, 'base64')
      : extension === 'wav'
        ? Buffer.from(silence, 'base64')
        : Buffer.from(`A small file of \`atoll verify\`.\n`);
  const mediaType = lookup(extension);
  return { extension, mediaType: mediaType === false ? 'application/octet-stream' : mediaType, content };
};

const preferred: Readonly<Record<string, readonly string[]>> = {
  image: ['png', 'gif'],
  audio: ['wav', 'mp3'],
  video: ['mp4', 'webm'],
  file: ['txt', 'pdf'],
};
