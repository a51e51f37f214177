/** What is said of a change of an operation, its parameters, its body and its extensions, and who it breaks. */
import { both, clients, servers, nobody, unsure, clientsPerhaps, serversPerhaps, type Rule } from './rule.ts';

const unsent = 'No client of the earlier document sends it. A server of the earlier one does not know it.';
const generated = 'Code that is generated from the document has another name.';

export const operationRules = {
  operation: {
    lost: { ...clients, change: () => 'is gone', reason: 'A request for it is refused with 404 or 405.' },
    gained: {
      ...servers,
      change: () => 'is new',
      reason: 'No client of the earlier document uses it. A server of the earlier one does not offer it.',
    },
  },
  'operation-name': { altered: { ...clients, change: (name) => `is called ${name} now`, reason: generated } },
  'operation-address': {
    altered: { ...both, change: (to) => `is ${to}`, reason: 'The old address is refused with 404 or 405.' },
  },
  'operation-group': {
    altered: {
      ...clientsPerhaps,
      change: (tag) => `is in the group ${tag} now`,
      reason: 'Some generators name a class by the first tag.',
    },
  },
  deprecated: {
    lost: { ...nobody, change: () => 'is deprecated now', reason: 'It works as before, and may go later.' },
    gained: { ...nobody, change: () => 'is deprecated no longer', reason: 'It works as before, and stays.' },
  },
  parameter: {
    lost: { ...clients, change: () => 'is gone', reason: 'What a client asks with it has no effect, or is refused.' },
    gained: { ...servers, change: () => 'is new', reason: unsent },
    hides: ['parameter-demanded', 'format-demanded'],
  },
  'parameter-demanded': {
    lost: { ...clients, change: () => 'is demanded now', reason: 'A request without it is refused.' },
    gained: {
      ...servers,
      change: () => 'may be left out now',
      reason: 'Who sends it goes on. A server of the earlier document refuses requests without it.',
    },
    hides: ['parameter'],
  },
  'parameter-name': { altered: { ...clients, change: (name) => `is called ${name} now`, reason: generated } },
  'parameter-style': {
    altered: {
      ...both,
      change: (how) => `is written ${how} now`,
      reason: 'Lists and objects are read in another form.',
    },
  },
  format: {
    lost: {
      ...clients,
      change: (format) => `has the format ${format} no longer`,
      reason: 'A request for this format is refused with 406.',
    },
    gained: {
      ...servers,
      change: (format) => `has the format ${format} now`,
      reason: 'No client of the earlier document asks for it. A server of the earlier one refuses it with 406.',
    },
  },
  'format-demanded': {
    lost: { ...clients, change: () => 'is demanded now', reason: 'A request without it is refused with 406.' },
    gained: {
      ...servers,
      change: () => 'may be left out now',
      reason: 'Who sends it goes on. A server of the earlier document answers 406 without it.',
    },
    hides: ['parameter'],
  },
  'format-default': {
    altered: {
      ...both,
      change: (format) => `stands for ${format} now when it is left out`,
      reason: 'A request without it gets another representation.',
    },
  },
  'body-demanded': {
    lost: { ...clients, change: () => 'is demanded now', reason: 'A request without a body is refused.' },
    gained: {
      ...servers,
      change: () => 'may be left out now',
      reason: 'Who sends it goes on. A server of the earlier document refuses requests without it.',
    },
  },
  'request-type': {
    lost: { ...clients, change: () => 'is gone', reason: 'A body of this media type is refused with 415.' },
    gained: { ...servers, change: () => 'is new', reason: unsent },
  },
  encoding: {
    altered: { ...unsure, change: () => 'is encoded otherwise', reason: 'The parts of a body may be read otherwise.' },
  },
  'any-content-type': {
    lost: {
      ...clients,
      change: () => 'reads a body by its Content-Type now',
      reason: 'A body with another Content-Type is refused with 415.',
    },
    gained: {
      ...servers,
      change: () => 'reads a body whatever its Content-Type says',
      reason: 'Who sends the right one goes on. A server of the earlier document refuses others.',
    },
  },
  'rest-of-path': {
    lost: {
      ...clients,
      change: () => 'takes one step of a path now',
      reason: 'An address with more slashes is a 404.',
    },
    gained: {
      ...servers,
      change: () => 'takes the rest of a path now',
      reason: 'Addresses of one step go on. A server of the earlier document answers 404 to longer ones.',
    },
  },
  'csrf-token': {
    lost: {
      ...clients,
      change: () => 'needs X-CSRF-Token in a session',
      reason: 'A request with a session cookie alone is refused with 403.',
    },
    gained: {
      ...servers,
      change: () => 'needs no X-CSRF-Token any more',
      reason: 'Who sends it goes on. A server of the earlier document demands it.',
    },
  },
  'html-page': {
    lost: {
      ...clientsPerhaps,
      change: () => 'has no page for browsers any more',
      reason: 'A browser gets something else.',
    },
    gained: {
      ...serversPerhaps,
      change: () => 'has a page for browsers now',
      reason: 'Programs ask for a format and get it as before.',
    },
  },
  'beyond-contract': {
    lost: { ...clientsPerhaps, change: () => 'is beyond the contract now', reason: 'A site may switch it off.' },
    gained: {
      ...serversPerhaps,
      change: () => 'belongs to the contract now',
      reason: 'A server of the earlier document may lack it.',
    },
  },
  extension: {
    altered: { ...unsure, change: (name) => `has another ${name}`, reason: 'OpenAPI gives extensions no meaning.' },
  },
  'extension-text': {
    altered: {
      ...nobody,
      change: (name) => `has another ${name}`,
      reason: 'It is a note for people, or concerns texts of refusals.',
    },
  },
} as const satisfies Readonly<Record<string, Rule>>;
