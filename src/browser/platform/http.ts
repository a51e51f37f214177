/** Replaces the used member of `node:http`: the reason phrases of the statuses, which the build takes from Node. */

/** JSON. */
declare const NODE_STATUS_CODES: string;

export const STATUS_CODES = JSON.parse(NODE_STATUS_CODES) as Readonly<Record<number, string>>; // the build wrote it
