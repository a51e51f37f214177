/** Decides who may use the control interface: callers on this machine, or callers with the control token. */
import { isLoopbackAddress, isLoopbackAuthority, isLoopbackOrigin } from '../access/loopback.ts';
import { isSameSecret } from '../access/secret.ts';
import type { PlainRequest } from '../engine/exchange.ts';

/** Returns the message of the refusal (403), or undefined when the request is allowed. Everybody may read `/_atoll/health`. */
export const controlRefusal = (request: PlainRequest, controlToken: string | undefined): string | undefined => {
  if (request.path === '/_atoll/health') return undefined;
  if (controlToken === undefined) {
    return isLocal(request) ? undefined : 'The control interface answers this machine only.';
  }
  const sent = request.headers['atoll-control'];
  if (sent === undefined) return 'The control interface needs the header "Atoll-Control" with the control token.';
  return isSameSecret(sent, controlToken) ? undefined : 'The control token is not the right one.';
};

/**
 * Whether a program on this machine sent the request itself. It must not come through a proxy, under a foreign host name
 * (DNS rebinding), or from another site's page in a browser on this machine.
 */
const isLocal = ({ address, headers }: PlainRequest): boolean =>
  isLoopbackAddress(address) &&
  isLoopbackAuthority(headers['host'] ?? '') &&
  headers['forwarded'] === undefined &&
  headers['x-forwarded-for'] === undefined &&
  isLoopbackOrigin(headers['origin'] ?? 'http://localhost') &&
  !isCrossSiteSubresource(headers);

/** A page of another site loads a subresource, such as an image, without `Origin` (Fetch Metadata §2.4). A link to a page is allowed. */
const isCrossSiteSubresource = (headers: PlainRequest['headers']): boolean =>
  headers['sec-fetch-site'] === 'cross-site' &&
  headers['origin'] === undefined &&
  (headers['sec-fetch-mode'] !== 'navigate' || headers['sec-fetch-dest'] !== 'document');
