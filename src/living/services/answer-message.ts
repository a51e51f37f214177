/** Answers a message as Alpaca and a microservice do: reads the source, makes the derivative, and puts it where the message says. */
import { isRecord } from '../../basics/json.ts';
import type { PlainReply } from '../../core/engine/exchange.ts';
import type { JsonObject } from '../../core/model/entity.ts';
import type { SiteRequest, SiteTools } from '../reaction.ts';
import type { DerivativeRequest, SourceBytes } from './make-derivative.ts';

/** More of a source is not read: a video may have gigabytes. */
const mostBytes = 64 * 1024 * 1024;

/** What a message asks for. Undefined for one that asks for no derivative. */
export const derivativeIn = (body: JsonObject): DerivativeRequest | undefined => {
  const { attachment } = body;
  const content = isRecord(attachment) ? attachment['content'] : undefined;
  if (body['summary'] !== 'Generate Derivative' || !isRecord(content)) return undefined;
  const text = (name: string): string => {
    const value = content[name];
    return typeof value === 'string' ? value : '';
  };
  return {
    mimetype: text('mimetype'),
    args: text('args'),
    source_uri: text('source_uri'),
    destination_uri: text('destination_uri'),
    file_upload_uri: text('file_upload_uri'),
  };
};

const pathBelow = (baseUrl: string, address: string): string => {
  if (!address.startsWith(`${baseUrl}/`)) throw new Error(`${address} is not an address of this world.`);
  return address.slice(baseUrl.length);
};

const headerOf = ({ headers }: PlainReply, name: string): string => {
  const found = Object.entries(headers).find(([each]) => each.toLowerCase() === name);
  return String(found?.[1] ?? '');
};

const bytesOf = async ({ body }: PlainReply): Promise<Uint8Array> => {
  if (body === undefined) return new Uint8Array();
  if (typeof body === 'string') return new TextEncoder().encode(body);
  const pieces: Uint8Array[] = [];
  let size = 0;
  const reader = body.stream.getReader();
  for (let next = await reader.read(); !next.done && size < mostBytes; next = await reader.read()) {
    pieces.push(next.value);
    size += next.value.byteLength;
  }
  await reader.cancel();
  return new Uint8Array(Buffer.concat(pieces));
};

/** Throws with the message of an answer that refuses. */
const asked = async ({ ask }: SiteTools, request: SiteRequest): Promise<PlainReply> => {
  const reply = await ask(request);
  if (reply.status < 300) return reply;
  const text = new TextDecoder().decode(await bytesOf(reply)).slice(0, 300);
  throw new Error(`${request.method} ${request.path} was answered ${reply.status}: ${text}`);
};

const sourceOf = async (tools: SiteTools, address: string, authorization: string): Promise<SourceBytes> => {
  const path = pathBelow(tools.baseUrl, address);
  const reply = await asked(tools, { method: 'GET', path, headers: { authorization } });
  const name = decodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
  return { bytes: await bytesOf(reply), name, mimetype: headerOf(reply, 'content-type') };
};

export const answerMessage = async (
  request: DerivativeRequest,
  tools: SiteTools,
  authorization: string,
): Promise<void> => {
  const source = await sourceOf(tools, request.source_uri, authorization);
  const { makeDerivative } = await import('./make-derivative.ts');
  const body = await makeDerivative(request, source);
  const path = pathBelow(tools.baseUrl, request.destination_uri);
  const headers = {
    authorization,
    'content-type': request.mimetype,
    'content-location': Buffer.from(request.file_upload_uri).toString('latin1'),
  };
  await asked(tools, { method: 'PUT', path, headers, body });
};
