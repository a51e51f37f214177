/** Writes the head of an answer. */
import type { ServerResponse } from 'node:http';

/**
 * `head` holds names and values in turn. Express middleware may have set other headers before. Node then merges `head` by
 * name and would keep only the last of several lines, so those are set as lists.
 */
export const startWriting = (response: ServerResponse, status: number, head: readonly string[]): void => {
  if (response.getHeaderNames().length === 0) {
    response.writeHead(status, head as string[]); // Node does not change it
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
