/** Makes the proxy's own answers: nobody can take them for those of the target. */
import { type PlainReply, type PlainRequest, messageReply } from '../../openapi/openapi-host.ts';
import type { ExplainedViolation } from '../../contract/contract.ts';
import { SlowClient, SlowTarget } from './forward.ts';

/** Says in each answer of the proxy itself why it is none of the target. */
export const proxyHeader = 'Atoll-Proxy';

const refusal = (status: number, reason: string, message: string): PlainReply => {
  const reply = messageReply(status, message);
  return { ...reply, headers: { ...reply.headers, [proxyHeader]: reason } };
};

/** 504 for a target that is too slow, 408 for a client that is, and 502 for everything else. `error` has a message for people. */
export const failureReply = (error: unknown): PlainReply => {
  if (error instanceof SlowClient) return refusal(408, 'slow-client', error.message);
  if (error instanceof SlowTarget) return refusal(504, 'slow-target', error.message);
  return refusal(502, 'no-answer', error instanceof Error ? error.message : String(error));
};

/** 502 with the rules that the target's reply breaks. */
export const brokenReply = (
  { operation, status }: { readonly operation: string; readonly status: number },
  rules: readonly ExplainedViolation[],
): PlainReply => {
  const words = rules.map(({ pointer, message, rule, document }) => {
    const place = document === undefined ? '' : ` [${document.file ?? 'openapi.yaml'}:${document.line}]`;
    return `${pointer} ${message} (${rule})${place}`;
  });
  return refusal(502, 'broken-contract', `The ${status} of ${operation} breaks the contract: ${words.join('; ')}`);
};

/** 501 for a request that wants another protocol. A server may pass over one that wants HTTP/2 (RFC 9110 §7.8). */
export const upgradeRefusal = ({ headers }: PlainRequest): PlainReply | undefined => {
  const wanted = headers['upgrade'];
  if (wanted === undefined || /^h2c?$/i.test(wanted.trim())) return undefined;
  return refusal(501, 'upgrade', `The proxy passes HTTP/1.1 on, and no upgrade to "${wanted.slice(0, 100)}".`);
};
