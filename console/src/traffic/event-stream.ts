/** Reads server-sent events (HTML standard) from a stream of bytes. */

/** `id` is undefined for an event that names none. */
export type StreamedEvent = { readonly id: string | undefined; readonly data: string };

/**
 * Returns a function that takes the next piece of the text and returns the events that are complete with it. Comments and
 * events without data are left out, and so are the types of events.
 */
export const createEventReader = (): ((piece: string) => StreamedEvent[]) => {
  let rest = '';
  let id: string | undefined;
  let data: string[] = [];
  const readLine = (line: string): StreamedEvent | undefined => {
    if (line === '') {
      const event = data.length === 0 ? undefined : { id, data: data.join('\n') };
      id = undefined;
      data = [];
      return event;
    }
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === 'data') data.push(value);
    if (name === 'id') id = value;
    return undefined;
  };
  return (piece) => {
    const text = rest + piece;
    // The last line may go on in the next piece. A CR at the end may be half of a CR LF.
    const end = Math.max(text.lastIndexOf('\n'), text.slice(0, -1).lastIndexOf('\r')) + 1;
    rest = text.slice(end);
    if (end === 0) return [];
    const lines = text.slice(0, end).split(/\r\n|\n|\r/);
    lines.pop(); // what follows the last end of a line, which is nothing
    return lines.map(readLine).filter((event) => event !== undefined);
  };
};

/** The events of a body as they arrive. Ends with the body, and cancels it when the loop ends before. */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<readonly StreamedEvent[]> {
  const read = createEventReader();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const events = read(decoder.decode(value, { stream: true }));
      if (events.length > 0) yield events;
    }
  } finally {
    await reader.cancel().catch(() => undefined); // the loop knows of a broken connection already
  }
}
