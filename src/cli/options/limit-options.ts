/** The options that say how another server is asked: whose certificates are trusted, how long to wait, how many requests in a second. */
import { readFile } from 'node:fs/promises';
import { ConfigurationError } from '../../basics/configuration-error.ts';

export type LimitOptions = {
  readonly ca?: string;
  readonly insecure?: boolean;
  /** Seconds. */
  readonly timeout: number;
  /** Requests in a second. */
  readonly rate?: number;
};

/** How the other server is asked. Throws `ConfigurationError` for a file that holds no certificate. */
export const limitsOf = async ({ ca, insecure, timeout, rate }: LimitOptions) => ({
  tls: { ca: ca === undefined ? undefined : await readAuthority(ca), insecure },
  ...{ silenceMs: timeout * 1000, perSecond: rate },
});

/** The text of a file with a certificate. Throws `ConfigurationError`. */
const readAuthority = async (file: string): Promise<string> => {
  const pem = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new ConfigurationError(`--ca ${file}: it cannot be read.`, { cause });
  });
  if (pem.includes('-----BEGIN CERTIFICATE-----')) return pem;
  throw new ConfigurationError(`--ca ${file}: it holds no certificate in PEM.`);
};
