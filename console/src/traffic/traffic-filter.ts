/** Turns what the address of the page says into the parameters of `/_atoll/traffic`. */
import type { operations } from '../../../src/client/generated/control.ts';

/** What the page shows. The address has these names. */
export type TrafficValues = {
  readonly status: string;
  readonly method: string;
  readonly operation: string;
  readonly account: string;
  readonly verdict: string;
  readonly advice: string;
  /** A part of the path; `*` stands for any text. */
  readonly path: string;
  /** The id of the selected entry. */
  readonly entry: string;
};

export type TrafficQuery = Omit<NonNullable<operations['listTraffic']['parameters']['query']>, 'limit' | 'since'>;

export const methods = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'] as const;

/** The verdicts that can be asked for, with their words. */
export const verdicts = {
  kept: 'Request valid',
  lenient: 'Request invalid, accepted',
  broken: 'Request invalid, refused',
  'reply-broken': 'Response invalid',
} as const;

type Verdict = keyof typeof verdicts;
const isVerdict = (text: string | undefined): text is Verdict => text !== undefined && Object.hasOwn(verdicts, text);

/** The form of a status, or of all of a hundred. */
export const isStatusFilter = (text: string): boolean => /^[1-5](?:\d\d|xx)$/.test(text);

/** What is not of its form is left out, because the server would refuse it. */
export const queryOf = (values: Partial<TrafficValues>): TrafficQuery => {
  const { status, method, operation, account, verdict, advice, path } = values;
  return {
    ...(status !== undefined && isStatusFilter(status) ? { status } : {}),
    ...(method !== undefined && /^[A-Za-z]+$/.test(method) ? { method } : {}),
    ...(operation === undefined ? {} : { operation }),
    ...(account === undefined ? {} : { identity: account }),
    ...(isVerdict(verdict) ? { verdict } : {}),
    ...(advice === 'some' || advice === 'none' ? { advice } : {}),
    ...(path === undefined ? {} : { path: path.includes('*') ? path : `*${path}*` }),
  };
};

/** The query of an address, with its question mark. Empty without parameters. */
export const queryText = (query: Readonly<Record<string, string | undefined>>): string => {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const text = new URLSearchParams(given).toString();
  return text === '' ? '' : `?${text}`;
};
