/**
 * Compresses long texts of the control interface, such as the model of a site, for clients that take gzip (RFC 9110 §8.4.1). Answers of the
 * repository stay as they are: a real site leaves that to the server in front of it.
 */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { streamOf } from '../../basics/byte-streams.ts';
import type { PlainReply, PlainRequest } from '../../openapi/openapi-host.ts';
import { acceptedCodings } from './accepted-codings.ts';

/** Shorter texts, in characters, cost more to compress than to send. */
const shortest = 8 * 1024;

const zip = promisify(gzip);

export const compressed = async ({ headers }: PlainRequest, reply: PlainReply): Promise<PlainReply> => {
  const { body } = reply;
  if (typeof body !== 'string' || body.length < shortest) return reply;
  const varies = { ...reply.headers, Vary: [reply.headers['Vary'] ?? [], 'Accept-Encoding'].flat().join(', ') };
  if (!acceptedCodings(headers['accept-encoding']).includes('gzip')) return { ...reply, headers: varies };
  const bytes = await zip(body);
  return {
    ...reply,
    headers: { ...varies, 'Content-Encoding': 'gzip', 'Content-Length': String(bytes.byteLength) },
    body: { stream: streamOf([bytes]), length: bytes.byteLength },
  };
};
