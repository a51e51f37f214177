/** Lists the clients as which a request can be sent: accounts by each provider, nobody, and credentials that are wrong. */
import type { CollectedRequest } from '../../openapi/openapi-parts.ts';
import { stepOf, draftOf, withHeader, withQuery, type Draft } from './draft.ts';
import { basicCredentials } from '../../basics/formats/basic-credentials.ts';
import type { KnownAccount } from './known-values.ts';
import type { RequestStep } from './request-step.ts';

/** Puts the steps of a client's sign-in before its request, and its credentials into it. */
const basic = ({ name, password }: KnownAccount): string => basicCredentials(name, password);

export type Client = { readonly label: string; readonly send: (draft: Draft) => RequestStep[] };

export type Clients = {
  readonly nobody: Client;
  /** By HTTP Basic, in the order of the accounts. */
  readonly byBasic: readonly Client[];
  /** The first account by a token, and by the cookie of a session with its CSRF token. */
  readonly byToken: readonly Client[];
  readonly bySession: readonly Client[];
  /** The first account by the cookie of a session, without the CSRF token. */
  readonly withoutCsrfToken: readonly Client[];
  readonly withWrongCredentials: readonly Client[];
};

const csrfHeader = 'X-CSRF-Token';
const csrfVariable = 'csrf_token';

/** `requests` are the examples of the document. Without those of the login or of the token, no client signs in with them. */
export const clientsFor = (
  accounts: readonly KnownAccount[],
  requests: ReadonlyMap<string, CollectedRequest>,
): Clients => {
  const [first] = accounts;
  const login = requests.get('login');
  const token = requests.get('getToken');
  const session = (label: string, sendsToken: boolean): Client[] =>
    first === undefined || login === undefined
      ? []
      : [
          {
            label,
            send: (draft) => [
              loginStep(login, first),
              stepOf(sendsToken ? withHeader(draft, csrfHeader, `{{${csrfVariable}}}`) : draft),
            ],
          },
        ];
  const withAuthorization = (label: string, value: string): Client => ({
    label,
    send: (draft) => [stepOf(withHeader(draft, 'Authorization', value))],
  });
  return {
    nobody: { label: 'without credentials', send: (draft) => [stepOf(draft)] },
    byBasic: accounts.map((account) => withAuthorization(`as ${account.name}`, basic(account))),
    byToken: first === undefined || token === undefined ? [] : [tokenClient(token, first)],
    bySession: session(`as ${first?.name} with the cookie of a session`, true),
    withoutCsrfToken: session(`as ${first?.name} with the cookie of a session, but without its CSRF token`, false),
    // A wrong password costs as much time as a right one, so the token comes first.
    withWrongCredentials: [
      withAuthorization('with a token that was never issued', 'Bearer not-a-token'),
      ...(first === undefined
        ? []
        : [withAuthorization('with a wrong password', basic({ ...first, password: 'not the password' }))]),
    ],
  };
};

/** Keeps the CSRF token, and what the document's links carry from the login to other requests. */
const loginStep = (login: CollectedRequest, { name, password: pass }: KnownAccount): RequestStep => ({
  ...stepOf(withQuery({ ...draftOf(login), body: JSON.stringify({ name, pass }) }, '_format', 'json')),
  keeps: {
    [csrfVariable]: `/${csrfVariable}`,
    ...Object.fromEntries(login.keeps.map(({ variable, steps }) => [variable, `/${steps.join('/')}`])),
  },
});

const tokenClient = (token: CollectedRequest, account: KnownAccount): Client => ({
  label: `as ${account.name} with a token`,
  send: (draft) => [
    {
      ...stepOf(withHeader(withQuery(draftOf(token), '_format', 'json'), 'Authorization', basic(account))),
      keeps: { token: '/token' },
    },
    stepOf(withHeader(draft, 'Authorization', 'Bearer {{token}}')),
  ],
});
