/** What is said of a change of security, names and addresses, and who it breaks. */
import { both, clients, servers, nobody, unsure, clientsPerhaps, serversPerhaps, type Rule } from './rule.ts';

export const documentRules = {
  security: {
    lost: clients('does not take {} any more', 'A request with these credentials is refused.'),
    gained: servers(
      'takes {} now',
      'Who has other credentials goes on. A server of the earlier document refuses these.',
    ),
  },
  'security-none': {
    lost: clients('needs credentials now', 'A request without credentials is refused with 401.'),
    gained: servers(
      'needs no credentials now',
      'Who sends credentials goes on. A server of the earlier document refuses requests without them.',
    ),
  },
  'security-scheme': { altered: both('is another scheme now', 'Credentials of the earlier form are refused.') },
  'security-scheme-detail': { altered: unsure('has another {}', 'Where credentials come from may differ.') },
  name: {
    lost: clients('is gone from {}', 'Code that is generated from the document lacks the name.'),
    gained: nobody('is new in {}', 'Code that is generated from the document has one name more.'),
  },
  'lesser-name': {
    lost: clientsPerhaps('is gone from {}', 'Some generators make a name in code of it.'),
    gained: nobody('is new in {}', 'Code that is generated from the document has one name more.'),
  },
  bundle: {
    lost: clients('is gone', 'Records of this bundle are neither taken nor shown.'),
    gained: servers('is new', 'No client must send one. A server of the earlier document has no such bundle.'),
  },
  'base-path': {
    lost: clientsPerhaps('has the base path {} no longer', 'Addresses that a client has kept may lead nowhere.'),
    gained: serversPerhaps('has the base path {} now', 'A server of the earlier document may lie elsewhere.'),
  },
  'other-part': { altered: unsure('is another one', 'This comparison does not look into it.') },
} as const satisfies Readonly<Record<string, Rule>>;
