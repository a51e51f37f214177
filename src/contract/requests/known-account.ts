/** A demo account, whose password is published, and its credentials. */
import { basicCredentials } from '../../core/access/basic-auth.ts';

export type KnownAccount = { readonly name: string; readonly password: string };

/** The value of the header `Authorization`. */
export const basic = ({ name, password }: KnownAccount): string => basicCredentials(name, password);
