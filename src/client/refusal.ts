/** What a refused request throws. Which requests are refused, and which are sent again, is not decided here. */

/**
 * Thrown for every answer that is no success. The interface says one thing of a refusal, `{"message": …}` (contract:
 * Errors), whatever the operation, so that nothing is lost by throwing it. What fails before there is an answer (no
 * network, an abort) is thrown as `fetch` throws it.
 */
export class AtollError extends Error {
  /** 400 and above. */
  readonly status: number;
  /** Its body has been read. */
  readonly response: Response;

  constructor(message: string, response: Response) {
    super(message);
    this.name = 'AtollError';
    this.status = response.status;
    this.response = response;
  }
}

/** Whether something that was caught is a refusal, and with this status. Holds between two copies of this package too. */
export const isAtollError = (error: unknown, status?: number): error is AtollError =>
  error instanceof Error &&
  error.name === 'AtollError' &&
  'status' in error &&
  (status === undefined || error.status === status);

/** The answer itself when it is a success. Throws an `AtollError` with the server's message otherwise. */
export const accepted = async (response: Response): Promise<Response> => {
  if (response.ok) return response;
  throw new AtollError(messageIn(await response.text()) || `HTTP ${response.status}`, response);
};

/** Empty where the server gives no reason (some 403s do not), and where the body is no JSON, as that of a proxy. */
const messageIn = (body: string): string => {
  try {
    const { message } = Object(JSON.parse(body)) as { readonly message?: unknown }; // whatever was sent
    return typeof message === 'string' ? message : '';
  } catch {
    return '';
  }
};
