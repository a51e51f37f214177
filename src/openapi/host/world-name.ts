/** The names of worlds. */

/** The name of the world that every server has. A request that names no world goes to it. */
export const mainName = 'main';

/** A label of a host name (RFC 1123 §2.1), so that every world has an address by host. */
export const worldNamePattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
