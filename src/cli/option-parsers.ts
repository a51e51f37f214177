/** Parsers of options that several commands share. */
import { InvalidArgumentError } from 'commander';

/** Parses a port, 0 for any free one. Throws `InvalidArgumentError`. */
export const readPort = (text: string): number => {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('A port is a number from 0 to 65535.');
};

/** Parses seconds, more than 0. Throws `InvalidArgumentError`. */
export const readSeconds = (text: string): number => {
  const seconds = Number(text);
  if (text.trim() !== '' && Number.isFinite(seconds) && seconds > 0) return seconds;
  throw new InvalidArgumentError('Seconds are a number above 0.');
};

/** Collects the values of an option that may be repeated. */
export const appendValue = (value: string, before: readonly string[] = []): string[] => [...before, value];
