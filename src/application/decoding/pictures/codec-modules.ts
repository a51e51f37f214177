/** Reads the WebAssembly of the decoders. `scripts/bundle.mjs` replaces this module by one that has its bytes in it. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const bytesOf = (name: string): Promise<Uint8Array<ArrayBuffer>> =>
  readFile(createRequire(import.meta.url).resolve(name));

export const pngModule = () => bytesOf('@jsquash/png/codec/pkg/squoosh_png_bg.wasm');
export const jpegModule = () => bytesOf('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm');
