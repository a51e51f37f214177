/** Recognises the addresses, hosts and origins of this machine. Hosts below `localhost` belong to it too (RFC 6761 §6.3). */

const ipv4 = String.raw`127(?:\.\d{1,3}){3}`;
const named = String.raw`(?:(?:[a-z0-9-]+\.)*localhost|${ipv4}|\[::1\])(?::\d{1,5})?$`;
const addressPattern = new RegExp(`^(?:::ffff:)?${ipv4}$`);
const authorityPattern = new RegExp(`^${named}`, 'i');
const originPattern = new RegExp(`^https?://${named}`, 'i');

/** Takes the remote address of a connection as Node reports it. */
export const isLoopbackAddress = (address: string): boolean => address === '::1' || addressPattern.test(address);

/** Takes a host to listen on. */
export const isLoopbackHost = (host: string): boolean => host === 'localhost' || isLoopbackAddress(host);

/** Takes the value of `Host`, with or without a port. */
export const isLoopbackAuthority = (authority: string): boolean => authorityPattern.test(authority);

/** Takes the value of `Origin`. */
export const isLoopbackOrigin = (origin: string): boolean => originPattern.test(origin);

/** True when only this machine can reach the URL. */
export const isLoopbackUrl = (url: string): boolean => isLoopbackHost(new URL(url).hostname.replace(/^\[|\]$/g, ''));
