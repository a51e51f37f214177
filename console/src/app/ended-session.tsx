/** Says that the session of the account has ended, and begins another one. */
import type { ReactElement } from 'react';
import { useActing, useSessionEnded } from '../api/acting.ts';
import { Button } from '../ui/button.tsx';
import { changeAccount } from '../ui/change-account.ts';

export const EndedSession = (): ReactElement | undefined => {
  const acting = useActing();
  if (!useSessionEnded() || acting === undefined) return undefined;
  return (
    <div className="note warn fault-banner row" role="alert">
      <span>
        <strong>Your session has ended.</strong> The server answers you as a visitor now.
      </span>
      <Button look="main" onClick={() => void changeAccount({ ...acting })}>
        Sign in as {acting.name} again
      </Button>
    </div>
  );
};
