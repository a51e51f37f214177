/** Replaces the used member of `node:http`: the reason phrases of the statuses, which the build takes from Node. */

declare const NODE_STATUS_CODES: Readonly<Record<number, string>>;

export const STATUS_CODES = NODE_STATUS_CODES;
