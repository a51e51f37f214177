/** Who may ask the control interface: this machine, or whoever has the control token. */
import { isLoopbackAddress, isLoopbackAuthority, isLoopbackOrigin } from '../access/loopback.ts';
import { sameSecret } from '../access/secret.ts';
import type { PlainRequest } from '../engine/exchange.ts';

/** Why a request is refused (403); undefined when it is let in. Everybody may ask how the server is. */
export const controlRefusal = (request: PlainRequest, controlToken: string | undefined): string | undefined => {
  if (request.path === '/_atoll/health') return undefined;
  if (controlToken === undefined) {
    return isFromHere(request) ? undefined : 'The control interface answers this machine only.';
  }
  const sent = request.headers['atoll-control'];
  if (sent === undefined) return 'The control interface needs the header "Atoll-Control" with the control token.';
  return sameSecret(sent, controlToken) ? undefined : 'The control token is not the right one.';
};

/**
 * Neither through a proxy nor under a name that somebody else gave to this machine (DNS rebinding), nor sent by the page of
 * another site that happens to be open in a browser here.
 */
const isFromHere = ({ address, headers }: PlainRequest): boolean =>
  isLoopbackAddress(address) &&
  isLoopbackAuthority(headers['host'] ?? '') &&
  headers['forwarded'] === undefined &&
  headers['x-forwarded-for'] === undefined &&
  isLoopbackOrigin(headers['origin'] ?? 'http://localhost') &&
  !isForeignPart(headers);

/** What a page elsewhere asks for without being allowed to read it, such as an image, names no origin (Fetch Metadata §2.4). A link to a page is followed. */
const isForeignPart = (headers: PlainRequest['headers']): boolean =>
  headers['sec-fetch-site'] === 'cross-site' &&
  headers['origin'] === undefined &&
  (headers['sec-fetch-mode'] !== 'navigate' || headers['sec-fetch-dest'] !== 'document');
