/** Follows a stream of server-sent events. */

type Followed<E> = {
  readonly response: Response;
  /** The next event. Rejects when the stream has ended. */
  readonly next: () => Promise<E>;
  readonly leave: () => void;
};

export const followEvents = async <E>(
  address: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Followed<E>> => {
  const leaving = new AbortController();
  const response = await fetch(address, { headers, signal: leaving.signal });
  const text = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  const next = async (): Promise<E> => {
    for (;;) {
      const event = /(?:^|\n)data: (.*)\n\n/.exec(rest);
      if (event !== null) {
        rest = rest.slice(event.index + event[0].length);
        return JSON.parse(event[1] ?? '') as E; // the server says what its events are
      }
      const piece = await text?.read();
      if (piece === undefined || piece.done) throw new Error('The stream has ended.');
      rest += piece.value;
    }
  };
  return { response, next, leave: () => leaving.abort() };
};
