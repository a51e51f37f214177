/** Shows as whom the console asks, and changes it. */
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
    ...(acting === undefined ? [] : [{ label: 'Log out', run: () => void changeAccount(undefined) }]),
    ...(repository.data?.accounts ?? []).flatMap(({ name, password }) =>
      password === undefined || name === acting?.name
        ? []
        : [{ label: `Act as ${name}`, run: () => void changeAccount({ name, password, scheme }) }],
    ),
    { label: 'Another account or way …', run: () => setOpen(true) },
  ];
  const shown = acting === undefined ? 'a visitor' : `${acting.name}, ${acting.scheme}`;
  return (
    <>
      <Menu
        label={
          <>
            <span className="soft">You ask as</span> <strong>{shown}</strong> <span aria-hidden="true">▾</span>
          </>
        }
        commands={commands}
      />
      <Dialog title="Act as" isOpen={isOpen} onOpenChange={setOpen}>
        <LoginForm onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
};
