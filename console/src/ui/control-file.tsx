/** A link to a file of the control interface, which works with a control token too. */
import type { MouseEvent, ReactElement, ReactNode } from 'react';
import { baseUrl } from '../api/address.ts';
import { control, controlToken } from '../api/control.ts';
import { wordsOf } from '../api/refusal.ts';
import { say } from './toast.tsx';

type ControlFileProps = {
  /** Within the world, such as `/_atoll/openapi.yaml`. */
  readonly path: string;
  /** The name of the file, when it is saved. */
  readonly name: string;
  /** Whether a click saves it. Otherwise it opens in a tab of its own, unless that needs the token. */
  readonly isSaved?: boolean;
  readonly children: ReactNode;
};

export const ControlFile = ({ path, name, isSaved = false, children }: ControlFileProps): ReactElement => {
  const isFetched = controlToken.use() !== undefined;
  // A link cannot send the token.
  const follow = (event: MouseEvent): void => {
    if (!isFetched) return;
    event.preventDefault();
    save(path, name).catch((error: unknown) => say(wordsOf(error)));
  };
  return (
    <a
      className="button"
      href={baseUrl + path}
      onClick={follow}
      {...(isSaved || isFetched ? { download: name } : { target: '_blank', rel: 'noreferrer' })}
    >
      {children}
    </a>
  );
};

const save = async (path: string, name: string): Promise<void> => {
  const answer = await control.request(path);
  const address = URL.createObjectURL(await answer.blob());
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // the browser reads it after the click
};
