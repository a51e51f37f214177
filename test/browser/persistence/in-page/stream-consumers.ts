/** Takes the place of `node:stream/consumers` in a page. */
import { Buffer } from 'buffer';

export const buffer = async (stream: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
};
