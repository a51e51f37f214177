/** Reads the headers of a reply for their check. */
import type { Operation } from '../document/operation.ts';
import type { HeaderValues } from './exchange.ts';

/** Names of headers in lower case, by what they were written like. There are few. */
const lowerNames = new Map<string, string>();

const lowerCase = (name: string): string => {
  const known = lowerNames.get(name);
  if (known !== undefined) return known;
  const lower = name.toLowerCase();
  if (lowerNames.size < 100) lowerNames.set(name, lower);
  return lower;
};

/** Names in lower case. */
type JoinedHeaders = Readonly<Record<string, string>>;

/** The headers of a reply as schemas see them: several lines of a name as one. */
export const joinedHeaders = (headers: HeaderValues): JoinedHeaders => {
  const joined: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name] ?? '';
    joined[lowerCase(name)] = typeof value === 'string' ? value : value.join(', ');
  }
  return joined;
};

/** The names of the headers that the document requires and the reply lacks. */
export const missingHeaders = ({ requiredHeaders }: Operation, status: number, headers: JoinedHeaders): string[] =>
  (requiredHeaders.get(status) ?? []).filter((name) => !(name.toLowerCase() in headers));
