/** What is said of a change in a schema, and who it breaks: by what clients send, and by what they receive. */
import { clients, servers, nobody, unsure, clientsPerhaps, serversPerhaps, type Rule } from './rule.ts';

export const schemaRules = {
  'sent-values': {
    lost: clients('takes {} no longer', 'A client may send it, and is refused.'),
    gained: servers('takes {} now', 'No client must send it. A server of the earlier document refuses it.'),
  },
  'received-values': {
    lost: clients('may give {}', 'A client of the earlier document does not expect it.'),
    gained: servers(
      'gives {} no longer',
      'A client meets less than it expects. A server of the earlier document may still give it.',
    ),
  },
  'sent-values-perhaps': {
    lost: clientsPerhaps(
      'perhaps takes {} no longer',
      'This comparison cannot tell whether all that was taken still is.',
    ),
    gained: serversPerhaps('perhaps takes {} now', 'This comparison cannot tell whether more is taken than before.'),
  },
  'received-values-perhaps': {
    lost: clientsPerhaps(
      'perhaps gives {}',
      'This comparison cannot tell whether a client meets something that it does not expect.',
    ),
    gained: serversPerhaps(
      'perhaps gives {} no longer',
      'This comparison cannot tell whether a server of the earlier document gives too much.',
    ),
  },
  'sent-member': {
    lost: clients('is gone', 'A client may send it, and is refused.'),
    gained: servers('is new', 'It may be left out. A server of the earlier document refuses it.'),
    hides: ['sent-member-demanded'],
  },
  'sent-member-described': {
    lost: clientsPerhaps(
      'is not described any more',
      'The schema takes members of any name. Whether this one has an effect, it does not say.',
    ),
    gained: serversPerhaps(
      'is described now',
      'It may be left out. Whether a server of the earlier document heeds it, nobody can say.',
    ),
    hides: ['sent-member-demanded'],
  },
  'sent-member-demanded': {
    lost: clients('is demanded now', 'A body without it is refused.'),
    gained: servers(
      'may be left out now',
      'Who sends it goes on. A server of the earlier document refuses a body without it.',
    ),
    hides: ['sent-member', 'sent-member-described'],
  },
  'received-member': {
    lost: clients('is gone', 'A client may read it.'),
    gained: nobody('is new', 'A client passes over it. It may be missing.'),
  },
  'received-member-certain': {
    lost: clients('is gone', 'A client relies on it.'),
    gained: servers(
      'is new and promised',
      'A client passes over it. A server of the earlier document does not give it.',
    ),
  },
  'received-member-promised': {
    lost: clients('is not promised any more', 'A client relies on it, and it may be missing.'),
    gained: servers(
      'is promised now',
      'A client gets more than it relied on. A server of the earlier document may leave it out.',
    ),
  },
  'sent-read-only': {
    lost: clientsPerhaps('is read-only now', 'A server may refuse it in a request, or pass over it.'),
    gained: serversPerhaps(
      'may be sent now',
      'No client must send it. A server of the earlier document may pass over it.',
    ),
  },
  'received-write-only': {
    lost: clients('is write-only now', 'A client reads it, and it is in no answer.'),
    gained: nobody('is in answers now', 'A client passes over it. It may be missing.'),
  },
  default: { altered: unsure('stands for {} now when it is left out', 'A request without it means something else.') },
  'schema-deprecated': {
    lost: nobody('is deprecated now', 'It works as before, and may go later.'),
    gained: nobody('is deprecated no longer', 'It works as before, and stays.'),
  },
  target: {
    lost: clients('leads to {} no longer', 'A reference to such a record is refused.'),
    gained: servers('leads to {} now', 'No client must send it. A server of the earlier document refuses it.'),
  },
  'schema-extension': { altered: unsure('has another {}', 'OpenAPI gives extensions no meaning.') },
} as const satisfies Readonly<Record<string, Rule>>;
