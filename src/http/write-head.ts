/** Writes the head of an answer, whatever has been set on the response before. */
import type { ServerResponse } from 'node:http';

/**
 * `head`: names and values in turn. Node joins it to the headers that somebody has set before, as Express and its middleware
 * do, name by name: of several lines the last would win.
 */
export const startWriting = (response: ServerResponse, status: number, head: readonly string[]): void => {
  if (response.getHeaderNames().length === 0) {
    response.writeHead(status, head as string[]); // Node's type forgets that it does not change it
    return;
  }
  const lines = new Map<string, string[]>();
  for (let index = 0; index < head.length; index += 2) {
    const name = head[index] ?? '';
    lines.set(name, [...(lines.get(name) ?? []), head[index + 1] ?? '']);
  }
  for (const [name, values] of lines) response.setHeader(name, values.length === 1 ? (values[0] ?? '') : values);
  response.writeHead(status);
};
