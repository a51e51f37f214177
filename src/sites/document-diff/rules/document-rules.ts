/** What is said of a change of security, names and addresses, and who it breaks. */
import { both, clients, servers, nobody, unsure, clientsPerhaps, serversPerhaps, type Rule } from './rule.ts';

export const documentRules = {
  security: {
    lost: {
      ...clients,
      change: (way) => `does not take ${way} any more`,
      reason: 'A request with these credentials is refused.',
    },
    gained: {
      ...servers,
      change: (way) => `takes ${way} now`,
      reason: 'Who has other credentials goes on. A server of the earlier document refuses these.',
    },
  },
  'security-none': {
    lost: {
      ...clients,
      change: () => 'needs credentials now',
      reason: 'A request without credentials is refused with 401.',
    },
    gained: {
      ...servers,
      change: () => 'needs no credentials now',
      reason: 'Who sends credentials goes on. A server of the earlier document refuses requests without them.',
    },
  },
  'security-scheme': {
    altered: { ...both, change: () => 'is another scheme now', reason: 'Credentials of the earlier form are refused.' },
  },
  'security-scheme-detail': {
    altered: { ...unsure, change: (word) => `has another ${word}`, reason: 'Where credentials come from may differ.' },
  },
  name: {
    lost: {
      ...clients,
      change: (kind) => `is gone from ${kind}`,
      reason: 'Code that is generated from the document lacks the name.',
    },
    gained: {
      ...nobody,
      change: (kind) => `is new in ${kind}`,
      reason: 'Code that is generated from the document has one name more.',
    },
  },
  'lesser-name': {
    lost: {
      ...clientsPerhaps,
      change: (kind) => `is gone from ${kind}`,
      reason: 'Some generators make a name in code of it.',
    },
    gained: {
      ...nobody,
      change: (kind) => `is new in ${kind}`,
      reason: 'Code that is generated from the document has one name more.',
    },
  },
  'base-path': {
    lost: {
      ...clientsPerhaps,
      change: (path) => `has the base path ${path} no longer`,
      reason: 'Addresses that a client has kept may lead nowhere.',
    },
    gained: {
      ...serversPerhaps,
      change: (path) => `has the base path ${path} now`,
      reason: 'A server of the earlier document may lie elsewhere.',
    },
  },
  'other-part': {
    altered: { ...unsure, change: () => 'is another one', reason: 'This comparison does not look into it.' },
  },
} as const satisfies Readonly<Record<string, Rule>>;
