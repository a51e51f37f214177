/** What is said of a change in a schema, and who it breaks: by what clients send, and by what they receive. */
import { clients, servers, nobody, unsure, clientsPerhaps, serversPerhaps, type Rule } from './rule.ts';

export const schemaRules = {
  'sent-values': {
    lost: {
      ...clients,
      change: (values) => `takes ${values} no longer`,
      reason: 'A client may send it, and is refused.',
    },
    gained: {
      ...servers,
      change: (values) => `takes ${values} now`,
      reason: 'No client must send it. A server of the earlier document refuses it.',
    },
  },
  'received-values': {
    lost: {
      ...clients,
      change: (values) => `may give ${values}`,
      reason: 'A client of the earlier document does not expect it.',
    },
    gained: {
      ...servers,
      change: (values) => `gives ${values} no longer`,
      reason: 'A client meets less than it expects. A server of the earlier document may still give it.',
    },
  },
  'sent-values-perhaps': {
    lost: {
      ...clientsPerhaps,
      change: (values) => `perhaps takes ${values} no longer`,
      reason: 'This comparison cannot tell whether all that was taken still is.',
    },
    gained: {
      ...serversPerhaps,
      change: (values) => `perhaps takes ${values} now`,
      reason: 'This comparison cannot tell whether more is taken than before.',
    },
  },
  'received-values-perhaps': {
    lost: {
      ...clientsPerhaps,
      change: (values) => `perhaps gives ${values}`,
      reason: 'This comparison cannot tell whether a client meets something that it does not expect.',
    },
    gained: {
      ...serversPerhaps,
      change: (values) => `perhaps gives ${values} no longer`,
      reason: 'This comparison cannot tell whether a server of the earlier document gives too much.',
    },
  },
  'sent-member': {
    lost: { ...clients, change: () => 'is gone', reason: 'A client may send it, and is refused.' },
    gained: {
      ...servers,
      change: () => 'is new',
      reason: 'It may be left out. A server of the earlier document refuses it.',
    },
    hides: ['sent-member-demanded'],
  },
  'sent-member-described': {
    lost: {
      ...clientsPerhaps,
      change: () => 'is not described any more',
      reason: 'The schema takes members of any name. Whether this one has an effect, it does not say.',
    },
    gained: {
      ...serversPerhaps,
      change: () => 'is described now',
      reason: 'It may be left out. Whether a server of the earlier document heeds it, nobody can say.',
    },
    hides: ['sent-member-demanded'],
  },
  'sent-member-demanded': {
    lost: { ...clients, change: () => 'is demanded now', reason: 'A body without it is refused.' },
    gained: {
      ...servers,
      change: () => 'may be left out now',
      reason: 'Who sends it goes on. A server of the earlier document refuses a body without it.',
    },
    hides: ['sent-member', 'sent-member-described'],
  },
  'received-member': {
    lost: { ...clients, change: () => 'is gone', reason: 'A client may read it.' },
    gained: { ...nobody, change: () => 'is new', reason: 'A client passes over it. It may be missing.' },
  },
  'received-member-certain': {
    lost: { ...clients, change: () => 'is gone', reason: 'A client relies on it.' },
    gained: {
      ...servers,
      change: () => 'is new and promised',
      reason: 'A client passes over it. A server of the earlier document does not give it.',
    },
  },
  'received-member-promised': {
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
  'sent-read-only': {
    lost: {
      ...clientsPerhaps,
      change: () => 'is read-only now',
      reason: 'A server may refuse it in a request, or pass over it.',
    },
    gained: {
      ...serversPerhaps,
      change: () => 'may be sent now',
      reason: 'No client must send it. A server of the earlier document may pass over it.',
    },
  },
  'received-write-only': {
    lost: { ...clients, change: () => 'is write-only now', reason: 'A client reads it, and it is in no answer.' },
    gained: { ...nobody, change: () => 'is in answers now', reason: 'A client passes over it. It may be missing.' },
  },
  default: {
    altered: {
      ...unsure,
      change: (value) => `stands for ${value} now when it is left out`,
      reason: 'A request without it means something else.',
    },
  },
  'schema-deprecated': {
    lost: { ...nobody, change: () => 'is deprecated now', reason: 'It works as before, and may go later.' },
    gained: { ...nobody, change: () => 'is deprecated no longer', reason: 'It works as before, and stays.' },
  },
  'schema-extension': {
    altered: { ...unsure, change: (name) => `has another ${name}`, reason: 'OpenAPI gives extensions no meaning.' },
  },
} as const satisfies Readonly<Record<string, Rule>>;
