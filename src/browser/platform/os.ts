/** Replaces the used member of `node:os`: the number of the error of an exceeded quota, which no browser reports so. */

export const constants = { errno: { EDQUOT: 122 } };
