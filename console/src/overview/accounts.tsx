/** The accounts of the site, each with the ways to sign in as it. */
import type { ReactElement } from 'react';
import { useActing, schemes, type Scheme } from '../api/acting.ts';
import type { ControlSchemas } from '../api/control.ts';
import { Button } from '../ui/button.tsx';
import { changeAccount } from '../ui/change-account.ts';
import { Cell, Row, RowHead, Table } from '../ui/table.tsx';
import { Badge } from '../ui/text.tsx';

type Account = ControlSchemas['Repository']['accounts'][number];

/** The accounts whose passwords are known, each with one button. */
export const SignInAs = ({ accounts }: { readonly accounts: readonly Account[] }): ReactElement => {
  const acting = useActing();
  return (
    <span className="row" role="group" aria-label="Sign in as">
      <span className="soft">Sign in as</span>
      {accounts.map(({ name, password, blocked }) =>
        password === undefined || blocked ? null : (
          <Button
            key={name}
            aria-pressed={name === acting?.name}
            onClick={() => void changeAccount({ name, password, scheme: 'password' })}
          >
            {name}
          </Button>
        ),
      )}
    </span>
  );
};

const titles: Readonly<Record<Scheme, string>> = {
  password: 'Sends name and password with each request (Basic).',
  token: 'Fetches a JSON Web Token and sends that (Bearer).',
  session: 'Logs in and keeps a session cookie.',
};

export const Accounts = ({ accounts }: { readonly accounts: readonly Account[] }): ReactElement => {
  const acting = useActing();
  return (
    <section className="panel" aria-labelledby="accounts">
      <h2 id="accounts">Accounts</h2>
      <p className="row">
        {acting === undefined ? 'You are not signed in.' : `Signed in as ${acting.name}, with a ${acting.scheme}.`}
        {acting !== undefined && <Button onClick={() => void changeAccount(undefined)}>Sign out</Button>}
      </p>
      <p>
        A button signs the console in as the account: with its password in each request, with a token, or with a
        session.
      </p>
      <Table label="Table of accounts" heads={['Name', 'Roles', 'Password', 'Sign in with']}>
        {accounts.map((account) => (
          <AccountRow key={account.name} account={account} isActing={account.name === acting?.name} />
        ))}
      </Table>
    </section>
  );
};

const AccountRow = ({ account, isActing }: { readonly account: Account; readonly isActing: boolean }): ReactElement => {
  const { name, roles, password, blocked } = account;
  return (
    <Row>
      <RowHead>
        {name} {isActing && <Badge tone="good">you</Badge>} {blocked && <Badge tone="bad">blocked</Badge>}
      </RowHead>
      <Cell of="Roles">{roles.map(({ label }) => label).join(', ')}</Cell>
      <Cell of="Password">
        {password === undefined ? <span className="soft">not shown</span> : <code>{password}</code>}
      </Cell>
      <Cell of="Sign in with">
        {password === undefined ? (
          <span className="soft">Use "Another account" above.</span>
        ) : (
          <span className="row">
            {schemes.map((scheme) => (
              <Button
                key={scheme}
                title={titles[scheme]}
                aria-label={`Sign in as ${name} with a ${scheme}`}
                onClick={() => void changeAccount({ name, password, scheme })}
              >
                {scheme}
              </Button>
            ))}
          </span>
        )}
      </Cell>
    </Row>
  );
};
