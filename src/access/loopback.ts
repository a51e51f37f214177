/** What belongs to this machine: addresses, hosts, origins. Worlds have names below `localhost` (RFC 6761 §6.3). */

const ipv4 = String.raw`127(?:\.\d{1,3}){3}`;
const named = String.raw`(?:(?:[a-z0-9-]+\.)*localhost|${ipv4}|\[::1\])(?::\d{1,5})?$`;
const addressPattern = new RegExp(`^(?:::ffff:)?${ipv4}$`);
const authorityPattern = new RegExp(`^${named}`, 'i');
const originPattern = new RegExp(`^https?://${named}`, 'i');

/** The other end of a connection, as Node gives it. */
export const isLoopbackAddress = (address: string): boolean => address === '::1' || addressPattern.test(address);

/** A host to listen on. */
export const isLoopbackHost = (host: string): boolean => host === 'localhost' || isLoopbackAddress(host);

/** The value of `Host`, with or without a port. */
export const isLoopbackAuthority = (authority: string): boolean => authorityPattern.test(authority);

/** The value of `Origin`. */
export const isLoopbackOrigin = (origin: string): boolean => originPattern.test(origin);

/** Whether only this machine can reach what has this address. */
export const isLoopbackUrl = (url: string): boolean => isLoopbackHost(new URL(url).hostname.replace(/^\[|\]$/g, ''));
