/** Finds out with the first requests whether a target is a repository with a REST interface at all. */
import { keptText, headerValue, type WireReply } from './wire-exchange.ts';
import { parsedJson } from '../basics/json.ts';
import { bareMediaType } from '../openapi/openapi-terms.ts';
import { createSender, type SenderOptions } from './send.ts';
import { TargetError } from './target-errors.ts';

/** No answer to these requests is as long. */
const longestAnswer = 1024 * 1024;

const probes = ['/node/1?_format=json', '/user/login_status?_format=json', '/session/token'];

/**
 * Throws a `TargetError` with one clear line unless one of the first answers is that of a REST interface. Resolves with whether
 * Drupal itself gives it, by `X-Generator`, which every answer of a real site has.
 */
export const examineTarget = async (options: SenderOptions, signal?: AbortSignal): Promise<{ isDrupal: boolean }> => {
  const silenceMs = options.silenceMs ?? 30_000;
  // A target that sends a byte now and then is never silent.
  const sender = createSender({
    ...options,
    maxBytes: longestAnswer,
    keptBytes: longestAnswer,
    totalMs: silenceMs * 2,
  });
  try {
    let first: string | undefined;
    for (const path of probes) {
      const { reply } = await sender.send({ method: 'GET', path, signal });
      const reason = reasonAgainst(reply, path);
      if (reason === undefined) return { isDrupal: /^Drupal\b/.test(headerValue(reply.headers, 'x-generator') ?? '') };
      first ??= reason;
    }
    throw new TargetError(`${options.baseUrl}: ${first ?? ''}`);
  } finally {
    sender.close();
  }
};

/** Whether the target answers anything now. */
export const isAnswering = async (options: SenderOptions): Promise<boolean> => {
  const sender = createSender({
    ...options,
    maxBytes: longestAnswer,
    keptBytes: 0,
    totalMs: 10_000,
    silenceMs: 10_000,
  });
  try {
    await sender.send({ method: 'GET', path: '/session/token' });
    return true;
  } catch {
    return false;
  } finally {
    sender.close();
  }
};

const reasonAgainst = ({ status, headers, body }: WireReply, path: string): string | undefined => {
  const mediaType = bareMediaType(headerValue(headers, 'content-type') ?? '');
  const text = keptText(body);
  if (status >= 300 && status < 400) {
    const location = headerValue(headers, 'location') ?? 'nowhere';
    return `it redirects to ${location.slice(0, 200)}. Name the address where the repository itself answers.`;
  }
  if (!body.isWhole) return `its answer to ${path} is longer than 1 MiB, so it is no REST interface of a repository.`;
  if (/html/.test(mediaType)) {
    return `it answers HTML in place of JSON (${status}). Is the address right, and is the REST interface on?`;
  }
  if (/[/+]json$/.test(mediaType) && parsedJson(text) !== undefined) return undefined;
  if (status === 200 && mediaType === 'text/plain' && isToken(text)) return undefined;
  return `its answer to ${path} is ${status} with ${mediaType === '' ? 'no media type' : mediaType}, not JSON. This is no REST interface of a repository.`;
};

/** The text of `/session/token`, or `0` and `1` of `/user/login_status`. */
const isToken = (text: string): boolean => /^([01]|[\w-]{20,100})$/.test(text.trim());
