/** Keeps tools on this machine, unless the agent's user has said otherwise. */
import { isLoopbackUrl } from '../../core/access/loopback.ts';
import { ToolRefusal } from '../tool-refusal.ts';

/** Throws `ToolRefusal` for the address of another machine. What is no address is left to its reader. */
export const refuseRemote = (address: string, { allowRemote }: { readonly allowRemote: boolean }): void => {
  if (allowRemote || !/^[a-z][a-z0-9+.-]*:\/\//i.test(address)) return;
  if (URL.canParse(address) && isLoopbackUrl(address)) return;
  throw new ToolRefusal(
    `${URL.canParse(address) ? new URL(address).origin : 'The address'} is not on this machine.`,
    'Ask the user to start atoll mcp with --allow-remote, or name a server on this machine.',
  );
};
