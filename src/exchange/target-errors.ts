/** Says in one clear line why a server could not be asked, or why its answer could not be read. */
import { errorCode } from '../basics/error-code.ts';

/** The code of every `TargetError`; the command line ends with 3. */
export const targetUnreachableCode = 'ATOLL_TARGET_UNREACHABLE';

/** The target did not answer, or not in HTTP. The message names the target and what to do. */
export class TargetError extends Error {
  override name = 'TargetError';
  readonly code = targetUnreachableCode;
  /** True when another attempt may succeed, as after a connection that was cut. */
  readonly isPassing: boolean;

  constructor(message: string, { cause, isPassing = false }: ErrorOptions & { readonly isPassing?: boolean } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.isPassing = isPassing;
  }
}

const selfSigned = 'its certificate is not trusted. Name its authority with --ca FILE, or use --insecure for a test.';

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nobody answers there. Start the server, or name another one with --target.',
  ENOTFOUND: 'there is no such host. Correct --target.',
  EAI_AGAIN: 'the name of the host cannot be looked up now.',
  EHOSTUNREACH: 'the host cannot be reached from here.',
  ENETUNREACH: 'the host cannot be reached from here.',
  ECONNRESET: 'the connection was cut before the answer was whole.',
  EPIPE: 'the connection was cut before the answer was whole.',
  ETIMEDOUT: 'no connection came about in time.',
  DEPTH_ZERO_SELF_SIGNED_CERT: selfSigned,
  SELF_SIGNED_CERT_IN_CHAIN: selfSigned,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: selfSigned,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: selfSigned,
  CERT_HAS_EXPIRED: 'its certificate has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host.',
  EPROTO: 'it does not speak TLS. Write http:// in --target.',
  HPE_HEADER_OVERFLOW: 'the headers of its answer are larger than 64 KiB.',
};

const passing: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'EAI_AGAIN', 'ETIMEDOUT']);

/** The error of a request to `origin` that failed. Anything that is no HTTP has a code that begins with `HPE_`. */
export const targetErrorOf = (origin: string, cause: unknown): TargetError => {
  if (cause instanceof TargetError) return cause;
  const code = errorCode(cause) ?? '';
  const reason =
    reasons[code] ?? (code.startsWith('HPE_') ? 'it does not answer in HTTP/1.1.' : `it failed: ${wordsOf(cause)}`);
  return new TargetError(`${origin}: ${reason}`, { cause, isPassing: passing.has(code) });
};

const wordsOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
