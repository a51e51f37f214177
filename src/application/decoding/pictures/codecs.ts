/** Loads the decoders of PNG and JPEG, which are WebAssembly: memory of their own, and no way out of it. */
import { once } from '../../../basics/once.ts';
import { jpegModule, pngModule } from './codec-modules.ts';
import type { Pixels } from './pixels.ts';

type Decode = (bytes: Uint8Array) => Promise<Pixels>;

/** The decoders take a buffer of which they read all. */
const ownBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): ArrayBuffer =>
  buffer instanceof ArrayBuffer && byteOffset === 0 && byteLength === buffer.byteLength
    ? buffer
    : (buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer); // nobody shares memory here

export const pngCodec = once(async (): Promise<Decode> => {
  const { decode, init } = await import('@jsquash/png/decode.js');
  await init(await pngModule());
  return (bytes) => decode(ownBuffer(bytes));
});

export const jpegCodec = once(async (): Promise<Decode> => {
  const { default: decode, init } = await import('@jsquash/jpeg/decode.js');
  const wasmBinary = ownBuffer(await jpegModule());
  await init({ wasmBinary, print: () => undefined, printErr: () => undefined });
  return async (bytes) => {
    // Its types need those of browsers, and do not say that it makes an empty object of what it cannot read.
    const pixels = (await decode(ownBuffer(bytes))) as Partial<Pixels>;
    const { width, height, data } = pixels;
    if (width === undefined || height === undefined || data === undefined)
      throw new Error('The decoder made no picture.');
    return { width, height, data };
  };
});
