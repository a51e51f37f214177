/** Makes names that nobody else has. */

/** 32 random hex digits. `crypto.randomUUID` is missing in pages without HTTPS. */
export const randomName = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
