/** Reads the message of a refusal. */
import type { PlainAnswer } from './exchange.ts';

/** The server's own words. Empty for a body of another form, such as a proxy's page. */
export const messageIn = (text: string): string => {
  try {
    const { message, error } = Object(JSON.parse(text)) as { readonly message?: unknown; readonly error?: unknown }; // any JSON
    return [message, error].find((words) => typeof words === 'string') ?? '';
  } catch {
    return '';
  }
};

/** The same, or that there is none: a 403 of the real site may have an empty message. */
export const messageOf = ({ text = '', status }: PlainAnswer): string =>
  messageIn(text) || `The response ${status} has no message.`;
