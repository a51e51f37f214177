/** What is said of a change of an operation, its parameters, its body and its extensions, and who it breaks. */
import { both, clients, servers, nobody, unsure, clientsPerhaps, serversPerhaps, type Rule } from './rule.ts';

const unsent = 'No client of the earlier document sends it. A server of the earlier one does not know it.';
const generated = 'Code that is generated from the document has another name.';

export const operationRules = {
  operation: {
    lost: clients('is gone', 'A request for it is refused with 404 or 405.'),
    gained: servers(
      'is new',
      'No client of the earlier document uses it. A server of the earlier one does not offer it.',
    ),
  },
  'operation-name': { altered: clients('is called {} now', generated) },
  'operation-address': { altered: both('is {}', 'The old address is refused with 404 or 405.') },
  'operation-group': {
    altered: clientsPerhaps('is in the group {} now', 'Some generators name a class by the first tag.'),
  },
  deprecated: {
    lost: nobody('is deprecated now', 'It works as before, and may go later.'),
    gained: nobody('is deprecated no longer', 'It works as before, and stays.'),
  },
  parameter: {
    lost: clients('is gone', 'What a client asks with it has no effect, or is refused.'),
    gained: servers('is new', unsent),
    hides: ['parameter-demanded', 'format-demanded'],
  },
  'parameter-demanded': {
    lost: clients('is demanded now', 'A request without it is refused.'),
    gained: servers(
      'may be left out now',
      'Who sends it goes on. A server of the earlier document refuses requests without it.',
    ),
    hides: ['parameter'],
  },
  'parameter-name': { altered: clients('is called {} now', generated) },
  'parameter-style': { altered: both('is written {} now', 'Lists and objects are read in another form.') },
  format: {
    lost: clients('has the format {} no longer', 'A request for this format is refused with 406.'),
    gained: servers(
      'has the format {} now',
      'No client of the earlier document asks for it. A server of the earlier one refuses it with 406.',
    ),
  },
  'format-demanded': {
    lost: clients('is demanded now', 'A request without it is refused with 406.'),
    gained: servers(
      'may be left out now',
      'Who sends it goes on. A server of the earlier document answers 406 without it.',
    ),
    hides: ['parameter'],
  },
  'format-default': {
    altered: both('stands for {} now when it is left out', 'A request without it gets another representation.'),
  },
  'body-demanded': {
    lost: clients('is demanded now', 'A request without a body is refused.'),
    gained: servers(
      'may be left out now',
      'Who sends it goes on. A server of the earlier document refuses requests without it.',
    ),
  },
  'request-type': {
    lost: clients('is gone', 'A body of this media type is refused with 415.'),
    gained: servers('is new', unsent),
  },
  encoding: { altered: unsure('is encoded otherwise', 'The parts of a body may be read otherwise.') },
  'any-content-type': {
    lost: clients('reads a body by its Content-Type now', 'A body with another Content-Type is refused with 415.'),
    gained: servers(
      'reads a body whatever its Content-Type says',
      'Who sends the right one goes on. A server of the earlier document refuses others.',
    ),
  },
  'rest-of-path': {
    lost: clients('takes one step of a path now', 'An address with more slashes is a 404.'),
    gained: servers(
      'takes the rest of a path now',
      'Addresses of one step go on. A server of the earlier document answers 404 to longer ones.',
    ),
  },
  'csrf-token': {
    lost: clients('needs X-CSRF-Token in a session', 'A request with a session cookie alone is refused with 403.'),
    gained: servers(
      'needs no X-CSRF-Token any more',
      'Who sends it goes on. A server of the earlier document demands it.',
    ),
  },
  'html-page': {
    lost: clientsPerhaps('has no page for browsers any more', 'A browser gets something else.'),
    gained: serversPerhaps('has a page for browsers now', 'Programs ask for a format and get it as before.'),
  },
  'beyond-contract': {
    lost: clientsPerhaps('is beyond the contract now', 'A site may switch it off.'),
    gained: serversPerhaps('belongs to the contract now', 'A server of the earlier document may lack it.'),
  },
  extension: { altered: unsure('has another {}', 'OpenAPI gives extensions no meaning.') },
  'extension-text': { altered: nobody('has another {}', 'It is a note for people, or concerns texts of refusals.') },
} as const satisfies Readonly<Record<string, Rule>>;
