/** What is said of a change of an answer, its headers and its links, and who it breaks. */
import { both, clients, servers, nobody, unsure, clientsPerhaps, serversPerhaps, type Rule } from './rule.ts';

export const answerRules = {
  answer: {
    lost: both('is gone', 'A client may wait for it. A server of the earlier document may give it.'),
    gained: nobody('is new', 'A client takes it for a refusal by its class. No server must give it.'),
  },
  success: {
    lost: both('is gone', 'A client waits for it. A server of the earlier document gives it.'),
    gained: clientsPerhaps(
      'is new',
      'A client may know only the answers of the earlier document. No server must give it.',
    ),
  },
  'answer-type': {
    lost: both('is gone', 'A client reads this media type. A server of the earlier document gives it.'),
    gained: servers(
      'is new',
      'A client gets it only if it asks for it. A server of the earlier document does not have it.',
    ),
  },
  'answer-type-unasked': {
    lost: both('is gone', 'A client reads this media type. A server of the earlier document gives it.'),
    gained: clientsPerhaps('is new', 'A client may get it without having asked for it. No server must give it.'),
  },
  header: {
    lost: clients('is gone', 'A client may read it.'),
    gained: nobody('is new', 'A client passes over it. No server must send it.'),
  },
  'header-certain': {
    lost: clients('is gone', 'A client relies on it.'),
    gained: servers('is new', 'A client passes over it. A server of the earlier document does not send it.'),
  },
  'header-promised': {
    lost: clients('is not promised any more', 'A client relies on it, and it may be missing.'),
    gained: servers(
      'is promised now',
      'A client gets more than it relied on. A server of the earlier document may leave it out.',
    ),
  },
  link: {
    lost: clients('is gone', 'Who follows it from this answer finds no way on.'),
    gained: serversPerhaps('is new', 'Nobody follows it yet. A server of the earlier document may not hold it.'),
  },
  'link-target': { altered: both('leads to {} now', 'Who follows it comes to another operation.') },
  'link-values': { altered: unsure('is followed with other values', 'Who follows it sends another request.') },
  relation: {
    lost: clientsPerhaps(
      'shows the relation {} no longer',
      'Its examples have it no longer. An example is not a promise, but clients follow links by their relations.',
    ),
    gained: serversPerhaps(
      'shows the relation {} now',
      'Its examples have it now. A client passes over it. A server of the earlier document may not give it.',
    ),
  },
  'relation-everywhere': {
    lost: clients(
      'has the relation {} no longer',
      'No `Link` of the later document shows it. Clients that follow it find nothing.',
    ),
    gained: serversPerhaps(
      'has the relation {} now',
      'No `Link` of the earlier document shows it. A client passes over it.',
    ),
  },
} as const satisfies Readonly<Record<string, Rule>>;
