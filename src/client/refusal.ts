/** Defines the error that a refused request throws. */

/**
 * Thrown for every reply that is not a success. Every operation refuses with the same body, `{"message": …}`, so an error
 * can carry all of it. Failures without a reply (no network, an abort) are thrown as `fetch` throws them.
 */
export class AtollError extends Error {
  override name = 'AtollError';
  /** 400 and above. */
  readonly status: number;
  /** Its body has been read already. */
  readonly response: Response;

  constructor(message: string, response: Response) {
    super(message);
    this.status = response.status;
    this.response = response;
  }
}

/** Whether a caught value is a refusal, optionally with this status. Works across two copies of this package too. */
export const isAtollError = (error: unknown, status?: number): error is AtollError =>
  error instanceof Error &&
  error.name === 'AtollError' &&
  'status' in error &&
  (status === undefined || error.status === status);

/** Returns a successful response. Throws an `AtollError` with the server's message otherwise. */
export const successOrThrow = async (response: Response): Promise<Response> => {
  if (response.ok) return response;
  throw new AtollError(messageIn(await response.text()) || `HTTP ${response.status}`, response);
};

/** Empty when the server gives no reason (some 403s), or when the body is not JSON (a proxy answered). */
const messageIn = (body: string): string => {
  try {
    const { message } = Object(JSON.parse(body)) as { readonly message?: unknown }; // any JSON
    return typeof message === 'string' ? message : '';
  } catch {
    return '';
  }
};
