/** The schema of a request that an agent tries, and of what is shown of one. */
import { anyObject, choice, optional, structure, table, text, whole, list } from '../shape.ts';
import { requestMethods } from './trial.ts';

export const worldName = text('The name of a world; main when left out.', { maxLength: 63 });
export const accountName = text('The name of an account, such as editor; anonymous when left out.', { maxLength: 100 });

export const trialMembers = {
  world: optional(worldName),
  account: optional(accountName),
  authentication: optional(
    choice(
      ['basic', 'token', 'session'],
      'How the account signs in; basic when left out. session: with a cookie. Then writes need the header X-CSRF-Token: {{csrf_token}}, and the tool puts the token in.',
    ),
  ),
  method: choice(requestMethods, 'The method of HTTP.'),
  path: text('The path within the world, with its query: /node/5?_format=json.', { pattern: '^/', maxLength: 4000 }),
  headers: optional(table(text('The value.'), 'Headers, such as Content-Type.')),
  json: optional(anyObject('The body as JSON. It gets Content-Type: application/json, unless headers name another.')),
  body: optional(text('The body as text.')),
  base64: optional(text('The body as bytes, in Base64.', { pattern: '^[A-Za-z0-9+/]*={0,2}$' })),
};

/** Of a request that goes with `try_request`. */
export const trialShape = structure(trialMembers, 'Arguments for try_request.');

export const correctionShape = structure(
  {
    arguments: optional(structure(trialMembers, 'Call try_request with these. Absent when they are too long to show.')),
    changes: list(text('A change.'), 'What differs from what was sent, and why.'),
    expected: whole('The status that the corrected request got in a copy of the world.'),
    message: optional(text('What a refusal of the corrected request said.')),
  },
  'The request that should have been sent.',
);

export const permissionShape = structure({
  account: text('The name of the account.'),
  status: whole('What it was answered.'),
});

export const violationShape = structure({
  rule: text('The keyword of the schema, or what else of the document was not kept.'),
  pointer: text('JSON pointer into what was sent.'),
  message: text('What is wrong.'),
  arrived: optional(text('What stood there, as JSON.')),
  line: optional(whole('The line of the rule in openapi.yaml.')),
});
