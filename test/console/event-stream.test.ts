/** Server-sent events, read from pieces of any size. */
import { describe, expect, it } from '@jest/globals';
import { createEventReader, eventsOf, type StreamedEvent } from '../../console/src/traffic/event-stream.ts';

const read = (text: string, size: number): StreamedEvent[] => {
  const reader = createEventReader();
  const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );
  return pieces.flatMap(reader);
};

describe('The event stream', () => {
  const text =
    ': traffic\n\nid: 1\ndata: {"id":1}\n\n: still here\n\nid: 2\ndata: a\ndata:b\n\ndata: no id\n\nid: 3\n\n';
  const events = [
    { id: '1', data: '{"id":1}' },
    { id: '2', data: 'a\nb' },
    { id: undefined, data: 'no id' },
  ];

  it.each([1, 2, 3, 7, 1000])('in pieces of %i characters gives the same events', (size) => {
    expect(read(text, size)).toEqual(events);
  });

  it.each([1, 2, 5, 1000])('with CR LF in pieces of %i characters gives the same events', (size) => {
    expect(read(text.replaceAll('\n', '\r\n'), size)).toEqual(events);
  });

  it('keeps back an event that is not complete', () => {
    const reader = createEventReader();
    expect(reader('id: 1\ndata: x\n')).toEqual([]);
    expect(reader('\n')).toEqual([{ id: '1', data: 'x' }]);
  });

  it('reads characters that two pieces share, and cancels the body when the loop ends', async () => {
    const bytes = new TextEncoder().encode('data: é\n\ndata: 2\n\n');
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(bytes.slice(0, 7));
        controller.enqueue(bytes.slice(7));
      },
      cancel: () => {
        isCancelled = true;
      },
    });
    for await (const read of eventsOf(body)) {
      expect(read.map(({ data }) => data)).toEqual(['é', '2']);
      break;
    }
    expect(isCancelled).toBe(true);
  });
});
