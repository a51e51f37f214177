/** Answers a message as Alpaca and a microservice do: reads the source, makes the derivative, and puts it where the message says. */
import { chunksOf } from '../../../basics/byte-streams.ts';
import { isRecord, type JsonObject } from '../../../basics/json.ts';
import type { PlainReply } from '../../../openapi/openapi-host.ts';
import type { SiteRequest, SiteTools } from '../reaction.ts';
import type { DerivativeService } from './derivative-service.ts';

/** What a message of a derivative says. */
export type DerivativeRequest = {
  readonly mimetype: string;
  readonly args: string;
  readonly source_uri: string;
  readonly destination_uri: string;
  readonly file_upload_uri: string;
};

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

async function* bytesOf({ body }: PlainReply): AsyncGenerator<Uint8Array> {
  if (typeof body === 'string') yield new TextEncoder().encode(body);
  else if (body !== undefined) yield* chunksOf(body.stream);
}

/** As much as a message may show. */
const beginningOf = async (reply: PlainReply): Promise<string> => {
  for await (const chunk of bytesOf(reply)) return new TextDecoder().decode(chunk.subarray(0, 1200)).slice(0, 300);
  return '';
};

/** Throws with the message of an answer that refuses. */
const asked = async ({ ask }: SiteTools, request: SiteRequest): Promise<PlainReply> => {
  const reply = await ask(request);
  if (reply.status < 300) return reply;
  throw new Error(`${request.method} ${request.path} was answered ${reply.status}: ${await beginningOf(reply)}`);
};

type MessageContext = {
  readonly tools: SiteTools;
  readonly services: DerivativeService;
  readonly authorization: string;
};

/** Resolves with why the derivative is a placeholder, if it is one. */
export const answerMessage = async (
  request: DerivativeRequest,
  { tools, services, authorization }: MessageContext,
): Promise<string | undefined> => {
  const { mimetype, args, source_uri: address } = request;
  const sourcePath = pathBelow(tools.baseUrl, address);
  const reply = await asked(tools, { method: 'GET', path: sourcePath, headers: { authorization } });
  const name = decodeURIComponent(sourcePath.slice(sourcePath.lastIndexOf('/') + 1));
  const source = { name, mimetype: headerOf(reply, 'content-type') };
  const { bytes, placeholder } = await services.make({ mimetype, args, source }, bytesOf(reply));
  const path = pathBelow(tools.baseUrl, request.destination_uri);
  const headers = {
    authorization,
    'content-type': mimetype,
    'content-location': Buffer.from(request.file_upload_uri).toString('latin1'),
  };
  await asked(tools, { method: 'PUT', path, headers, body: bytes });
  return placeholder;
};
