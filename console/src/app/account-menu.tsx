/** Shows the account that the console is signed in as, and changes it. */
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { useActing } from '../api/acting.ts';
import { repositoryQuery } from '../api/queries.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Menu, type Command } from '../ui/menu.tsx';
import { changeAccount } from '../ui/change-account.ts';
import { LoginForm } from './login-form.tsx';

export const AccountMenu = (): ReactElement => {
  const acting = useActing();
  const repository = useQuery(repositoryQuery);
  const [isOpen, setOpen] = useState(false);
  const scheme = acting?.scheme ?? 'password';
  const commands: Command[] = [
    ...(acting === undefined ? [] : [{ label: 'Sign out', run: () => void changeAccount(undefined) }]),
    ...(repository.data?.accounts ?? []).flatMap(({ name, password }) =>
      password === undefined || name === acting?.name
        ? []
        : [{ label: `Sign in as ${name}`, run: () => void changeAccount({ name, password, scheme }) }],
    ),
    { label: 'Another account or way …', run: () => setOpen(true) },
  ];
  return (
    <>
      <Menu
        label={
          <>
            {acting === undefined ? (
              <strong>Not signed in</strong>
            ) : (
              <>
                <span className="soft">Signed in as</span>{' '}
                <strong>
                  {acting.name}, {acting.scheme}
                </strong>
              </>
            )}{' '}
            <span aria-hidden="true">▾</span>
          </>
        }
        commands={commands}
      />
      <Dialog title="Sign in" isOpen={isOpen} onOpenChange={setOpen}>
        <LoginForm onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
};
