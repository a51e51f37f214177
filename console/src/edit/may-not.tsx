/** Says before a form that the account may not send it, in the words with which the server would refuse it. */
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useActing } from '../api/acting.ts';
import { exchange } from '../api/exchange.ts';
import { contentKey } from '../api/queries.ts';
import { Refused } from '../object/refused.tsx';

type MayNotProps = {
  readonly method: 'POST' | 'PATCH' | 'PUT';
  readonly path: string;
  /** What the form does, such as "a change of this object". */
  readonly what: string;
};

/**
 * The server judges an account before it reads a body. So a body that nobody can read is refused with 401 or 403 where the account
 * may not, and with 400 where it may, and changes nothing.
 */
export const MayNot = ({ method, path, what }: MayNotProps): ReactElement | undefined => {
  const acting = useActing();
  const { data } = useQuery({
    queryKey: contentKey(acting, 'may', method, path),
    queryFn: () =>
      exchange(
        acting,
        method === 'PUT'
          ? { method, path }
          : { method, path, headers: { 'Content-Type': 'application/json' }, body: '{' },
      ),
    staleTime: 60_000,
  });
  return data?.status === 401 || data?.status === 403 ? <Refused answer={data} what={what} /> : undefined;
};
