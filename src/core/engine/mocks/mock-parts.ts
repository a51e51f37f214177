/** Chooses the status and the headers of a mock. */
import type { Operation, RawResponse } from '../../document/operation.ts';

/** The first example of each header. A header without examples is left out. */
export const mockHeaders = (
  names: readonly string[],
  described: NonNullable<RawResponse['headers']>,
): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const { example, examples = {} } = described[name] ?? {};
      const value = example ?? Object.values(examples)[0]?.value;
      return value === undefined ? [] : [[name, typeof value === 'string' ? value : JSON.stringify(value)]];
    }),
  );

/** The preferred status if it is documented, else the first success, else the first one. */
export const statusFor = (operation: Operation, code: string | undefined): number => {
  const statuses = [...operation.responses.keys()].sort((a, b) => a - b);
  const preferred = Number(code);
  return statuses.includes(preferred)
    ? preferred
    : (statuses.find((status) => status >= 200 && status < 300) ?? statuses[0] ?? 200);
};
