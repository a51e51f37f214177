/** Shows what the server says to an account that may not, and offers the other accounts. */
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useActing, useSessionEnded } from '../api/acting.ts';
import type { PlainAnswer } from '../api/exchange.ts';
import { repositoryQuery } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { changeAccount } from '../ui/change-account.ts';
import { RefusalHelp } from '../ui/help-link.tsx';
import { messageOf } from './representation.ts';

/** `what` was asked for, such as "this object as JSON". */
export const Refused = ({ answer, what }: { readonly answer: PlainAnswer; readonly what: string }): ReactElement => {
  const acting = useActing();
  const asks = useSessionEnded() || acting === undefined ? 'A visitor' : acting.name;
  return (
    <div className="note warn stack" role="alert">
      <p>
        <strong>{answer.status}</strong> {messageOf(answer)} <RefusalHelp status={answer.status} />
      </p>
      <p>
        {asks} gets this response for {what}. Another account may get a different one:
      </p>
      <OtherAccounts />
    </div>
  );
};

/** A button for each account with a known password, and one for none. */
export const OtherAccounts = (): ReactElement => {
  const acting = useActing();
  const repository = useQuery(repositoryQuery);
  const scheme = acting?.scheme ?? 'password';
  return (
    <div className="row">
      {(repository.data?.accounts ?? []).map(({ name, password, blocked }) =>
        password === undefined || blocked || name === acting?.name ? null : (
          <Button key={name} onClick={() => void changeAccount({ name, password, scheme })}>
            Sign in as {name}
          </Button>
        ),
      )}
      {acting !== undefined && <Button onClick={() => void changeAccount(undefined)}>Sign out</Button>}
    </div>
  );
};
