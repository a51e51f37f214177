/** Defines the pixels of a decoded picture, and how many there may be. */
import type { PictureSize } from '../../../basics/file-beginnings.ts';

/** Four bytes for each pixel: red, green, blue, alpha. */
export type Pixels = PictureSize & { readonly data: Uint8Array | Uint8ClampedArray };

/** Phones take 12 million. */
export const mostPixels = 16_000_000;
