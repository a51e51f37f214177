/** What is said of a change of an answer, its headers and its links, and who it breaks. */
import { both, clients, servers, nobody, unsure, clientsPerhaps, serversPerhaps, type Rule } from './rule.ts';

export const answerRules = {
  answer: {
    lost: {
      ...both,
      change: () => 'is gone',
      reason: 'A client may wait for it. A server of the earlier document may give it.',
    },
    gained: {
      ...nobody,
      change: () => 'is new',
      reason: 'A client takes it for a refusal by its class. No server must give it.',
    },
  },
  success: {
    lost: {
      ...both,
      change: () => 'is gone',
      reason: 'A client waits for it. A server of the earlier document gives it.',
    },
    gained: {
      ...clientsPerhaps,
      change: () => 'is new',
      reason: 'A client may know only the answers of the earlier document. No server must give it.',
    },
  },
  'answer-type': {
    lost: {
      ...both,
      change: () => 'is gone',
      reason: 'A client reads this media type. A server of the earlier document gives it.',
    },
    gained: {
      ...servers,
      change: () => 'is new',
      reason: 'A client gets it only if it asks for it. A server of the earlier document does not have it.',
    },
  },
  'answer-type-unasked': {
    lost: {
      ...both,
      change: () => 'is gone',
      reason: 'A client reads this media type. A server of the earlier document gives it.',
    },
    gained: {
      ...clientsPerhaps,
      change: () => 'is new',
      reason: 'A client may get it without having asked for it. No server must give it.',
    },
  },
  header: {
    lost: { ...clients, change: () => 'is gone', reason: 'A client may read it.' },
    gained: { ...nobody, change: () => 'is new', reason: 'A client passes over it. No server must send it.' },
  },
  'header-certain': {
    lost: { ...clients, change: () => 'is gone', reason: 'A client relies on it.' },
    gained: {
      ...servers,
      change: () => 'is new',
      reason: 'A client passes over it. A server of the earlier document does not send it.',
    },
  },
  'header-promised': {
    lost: {
      ...clients,
      change: () => 'is not promised any more',
      reason: 'A client relies on it, and it may be missing.',
    },
    gained: {
      ...servers,
      change: () => 'is promised now',
      reason: 'A client gets more than it relied on. A server of the earlier document may leave it out.',
    },
  },
  link: {
    lost: { ...clients, change: () => 'is gone', reason: 'Who follows it from this answer finds no way on.' },
    gained: {
      ...serversPerhaps,
      change: () => 'is new',
      reason: 'Nobody follows it yet. A server of the earlier document may not hold it.',
    },
  },
  'link-target': {
    altered: {
      ...both,
      change: (target) => `leads to ${target} now`,
      reason: 'Who follows it comes to another operation.',
    },
  },
  'link-values': {
    altered: {
      ...unsure,
      change: () => 'is followed with other values',
      reason: 'Who follows it sends another request.',
    },
  },
  relation: {
    lost: {
      ...clientsPerhaps,
      change: (relation) => `shows the relation ${relation} no longer`,
      reason:
        'Its examples have it no longer. An example is not a promise, but clients follow links by their relations.',
    },
    gained: {
      ...serversPerhaps,
      change: (relation) => `shows the relation ${relation} now`,
      reason: 'Its examples have it now. A client passes over it. A server of the earlier document may not give it.',
    },
  },
  'relation-everywhere': {
    lost: {
      ...clients,
      change: (relation) => `has the relation ${relation} no longer`,
      reason: 'No `Link` of the later document shows it. Clients that follow it find nothing.',
    },
    gained: {
      ...serversPerhaps,
      change: (relation) => `has the relation ${relation} now`,
      reason: 'No `Link` of the earlier document shows it. A client passes over it.',
    },
  },
} as const satisfies Readonly<Record<string, Rule>>;
